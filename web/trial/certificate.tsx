import type { CertificatePage } from "../../src/viewer/routes/certificate.ts";
import type { TrialPage } from "../../src/viewer/routes/trial.ts";
import { plural } from "../format.ts";
import { Empty, Shown } from "../parts/states.tsx";
import { useData } from "../state/load.ts";

const STANDINGS = {
  broken: "does not fit",
  recomputed: "worked out again, here and now",
  attested: "a signature covers it",
  declared: "the record says so, nothing more",
} as const;

/** The certificate line by line: how far each statement can be trusted. */
export function CertificateTab({ data }: { data: TrialPage }) {
  if (!data.has.certificate)
    return (
      <Empty
        title={
          data.cell.finished
            ? "There is no certificate: nothing about this trial can be checked here."
            : "There is no certificate: the trial has not finished."
        }
      />
    );
  return <Certificate group={data.group} trial={data.cell.id} />;
}

function Certificate({ group, trial }: { group: string; trial: string }) {
  const loaded = useData<CertificatePage>("certificate", { group, trial });
  return (
    <Shown loaded={loaded}>
      {({ verification, cannotExclude }) => {
        const { verdict, signedBy, findings, covers } = verification;
        return (
          <>
            <p class={`verdict ${verdict === "verified" ? "good" : verdict === "broken" ? "bad" : ""}`}>
              <strong>{verdict}</strong>
              {signedBy !== null && (
                <>
                  , signed by <code>{signedBy}</code>
                </>
              )}
            </p>
            {(Object.keys(STANDINGS) as (keyof typeof STANDINGS)[]).map((standing) => {
              const lines = findings.filter((finding) => finding.standing === standing);
              const own = standing === "attested" ? covers : [];
              if (lines.length + own.length === 0) return null;
              return (
                <section key={standing} class="standing-block">
                  <h2>
                    <span class={`chip standing-${standing}`}>{standing}</span>{" "}
                    <span class="soft">{STANDINGS[standing]}</span>
                  </h2>
                  <ul>
                    {lines.map(({ what, file }) => (
                      <li key={`${what}${file}`}>
                        {what}
                        {file !== null && <code> {file}</code>}
                      </li>
                    ))}
                    {own.map((text) => (
                      <li key={text}>{text}</li>
                    ))}
                  </ul>
                </section>
              );
            })}
            <p class="note">
              Grades are not worked out again here: <code>mlebench verify</code> does that where the data are.
            </p>
            <details>
              <summary>
                What nobody can exclude by looking{" "}
                <span class="count">{plural(cannotExclude.length, "sentence")}</span>
              </summary>
              <ul>
                {cannotExclude.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </details>
          </>
        );
      }}
    </Shown>
  );
}
