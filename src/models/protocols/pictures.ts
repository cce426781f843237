import type { ImagePart } from "../call.ts";

/** A picture by its URL; one that carries its bytes in the URL is taken apart. */
export function imageFromUrl(url: string): ImagePart {
  const inline = /^data:([^;,]+)(?:;[^,]*)?;base64,/i.exec(url.slice(0, 200));
  if (!inline) return { type: "image", source: { kind: "url", url } };
  return {
    type: "image",
    source: { kind: "base64", mediaType: inline[1]!, data: url.slice(inline[0].length) },
  };
}

export function urlOfImage(image: ImagePart): string {
  const { source } = image;
  return source.kind === "url" ? source.url : `data:${source.mediaType};base64,${source.data}`;
}
