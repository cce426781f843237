import type { ComponentChildren } from "preact";
import type { Loaded } from "../state/load.ts";

/** What is there while something loads, when it fails, and when there is nothing. */
export function Shown<T>({
  loaded,
  page = false,
  children,
}: {
  loaded: Loaded<T>;
  /** It is all there is on the page: when it fails, the page still has a heading. */
  page?: boolean;
  children: (data: T) => ComponentChildren;
}) {
  switch (loaded.status) {
    case "loading":
      return <Skeleton />;
    case "failed":
      return <Failed message={loaded.message} page={page} />;
    case "loaded":
      return <>{children(loaded.data)}</>;
  }
}

function Skeleton() {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading</span>
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      <i aria-hidden="true" />
    </div>
  );
}

function Failed({ message, page }: { message: string; page: boolean }) {
  return (
    <div class="failed" role="alert">
      {page ? <h1>This cannot be shown</h1> : <strong>This cannot be shown.</strong>} {message}
    </div>
  );
}

export function Empty({
  title,
  page = false,
  children,
}: {
  title: string;
  page?: boolean;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      {page ? <h1 class="empty-title">{title}</h1> : <p class="empty-title">{title}</p>}
      {children}
    </div>
  );
}
