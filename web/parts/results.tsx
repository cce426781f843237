import type { ReportParts } from "../../src/reporters/html/fragments.ts";
import { useData } from "../state/load.ts";
import { Drawn } from "./drawn.tsx";
import { Shown } from "./states.tsx";

/** What `mlebench report` says of these groups, part by part. */
export function Results({ groups }: { groups: readonly string[] }) {
  const loaded = useData<ReportParts>("report", { groups: groups.join("|") });
  return (
    <Shown loaded={loaded}>
      {({ parts }) => (
        <div class="report-parts">
          {parts.map(({ markup, csv }) => (
            <Drawn key={markup.slice(0, 60)} markup={markup} csv={csv} />
          ))}
        </div>
      )}
    </Shown>
  );
}
