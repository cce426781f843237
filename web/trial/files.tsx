import type { FileList, FileText } from "../../src/viewer/routes/files.ts";
import type { TrialPage } from "../../src/viewer/routes/trial.ts";
import { plural, sizeText } from "../format.ts";
import { Code, languageOf } from "../parts/code.tsx";
import { Search } from "../parts/search.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { useData } from "../state/load.ts";
import { place, setQuery } from "../state/route.ts";

const MAX_FILES = 300;

/** The trial's folder: code, submissions, logs. */
export function FilesTab({ data }: { data: TrialPage }) {
  const loaded = useData<FileList>("files", { group: data.group, trial: data.cell.id });
  return <Shown loaded={loaded}>{(list) => <Files data={data} list={list} />}</Shown>;
}

function Files({ data, list }: { data: TrialPage; list: FileList }) {
  const { file, q = "" } = place.value.query;
  const fitting = list.files.filter(({ path }) => path.toLowerCase().includes(q.toLowerCase()));
  const code = list.files.find(({ path }) => path.startsWith("code/")) ?? list.files[0];
  const current = file ?? code?.path;
  if (list.files.length === 0) return <Empty title="There are no files." />;
  return (
    <div class="split">
      <div class="split-list">
        <div class="filters">
          <Search label="Search files by path" value={q} />
        </div>
        <ul class="call-list">
          {fitting.slice(0, MAX_FILES).map(({ path, bytes }) => (
            <li key={path}>
              <button
                type="button"
                class={`call-item ${path === current ? "current" : ""}`}
                aria-current={path === current}
                onClick={() => setQuery({ file: path })}
              >
                <span class="file-path">{path}</span> <span class="soft small">{sizeText(bytes)}</span>
              </button>
            </li>
          ))}
        </ul>
        {(fitting.length > MAX_FILES || list.cut) && (
          <p class="note">
            {list.cut
              ? "There are more than are listed."
              : `${plural(fitting.length - MAX_FILES, "more file")}: search for them.`}
          </p>
        )}
      </div>
      <div class="split-detail">{current && <FileView key={current} data={data} path={current} />}</div>
    </div>
  );
}

function FileView({ data, path }: { data: TrialPage; path: string }) {
  const loaded = useData<FileText>("file", { group: data.group, trial: data.cell.id, path });
  return (
    <Shown loaded={loaded}>
      {({ text, bytes, cut }) => (
        <>
          <p class="note">
            <bdi>{path}</bdi>, {sizeText(bytes)}
            {cut && ", only its beginning"}
          </p>
          {text === null ? (
            <Empty title="This is not text." />
          ) : (
            <Code text={text} language={languageOf(path)} label={path} />
          )}
        </>
      )}
    </Shown>
  );
}
