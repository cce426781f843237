import type { IntegrityPage } from "../../src/viewer/routes/integrity.ts";
import { plural, trialText } from "../format.ts";
import { useData } from "../state/load.ts";
import { hrefTo } from "../state/route.ts";
import { Empty, Shown } from "./states.tsx";

const KIND = { serious: "bad", suspicious: "bad", note: "" } as const;

/** What the integrity checks found; a person decides. */
export function IntegrityTab({ group, trial }: { group: string; trial?: string }) {
  const loaded = useData<IntegrityPage>("integrity", { group, ...(trial ? { trial } : {}) });
  return (
    <Shown loaded={loaded}>
      {({ checks, findings, decisions, problems }) => (
        <>
          {problems.map((problem) => (
            <p key={problem} class="notice">
              {problem}
            </p>
          ))}
          {checks.length === 0 ? (
            <Empty title="Nobody has looked yet.">
              <p>That is not the same as having found nothing.</p>
            </Empty>
          ) : (
            <p class="note">
              {checks.map(({ check, trials }) => `${check} looked at ${plural(trials, "trial")}`).join("; ")}.
            </p>
          )}
          {decisions.map((one) => (
            <p key={`${one.trial}${one.by}`} class={one.decision === "disqualify" ? "notice" : "verdict"}>
              {one.trial}: <b>{one.decision === "disqualify" ? "disqualified" : "kept"}</b> by {one.by}:{" "}
              {one.why}
            </p>
          ))}
          {checks.length > 0 && findings.length === 0 && <Empty title="Nothing was found." />}
          {findings.slice(0, 200).map((finding) => (
            <article key={`${finding.trial}${finding.kind}${finding.sentence}`} class="card finding">
              <h2 class="finding-title">
                <span class={`chip ${KIND[finding.severity]}`}>{finding.severity}</span> {finding.sentence}
              </h2>
              <p class="note">
                {finding.check}, {finding.kind}
                {!trial && (
                  <>
                    ,{" "}
                    <a href={hrefTo("trial", [group, finding.trial], { tab: "integrity" })}>
                      {trialText(finding.trial)}
                    </a>
                  </>
                )}
                {finding.explained !== null && `; explained: ${finding.explained}`}
              </p>
              {finding.evidence.slice(0, 5).map(({ file, line, quotation }) => (
                <div key={`${file}${line}`} class="evidence">
                  <span class="soft small">
                    {file}
                    {line !== null && `:${line}`}
                  </span>
                  <pre
                    class="turn-text quotation"
                    tabIndex={0}
                    role="group"
                    aria-label={`Quotation of ${file}`}
                  >
                    {quotation.slice(0, 2000)}
                  </pre>
                </div>
              ))}
            </article>
          ))}
        </>
      )}
    </Shown>
  );
}
