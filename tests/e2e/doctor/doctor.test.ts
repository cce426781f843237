import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { DoctorReport } from "../../../src/workflows/doctor/schema.ts";
import { mlebench } from "../cli.ts";
import { layOutGoldenData } from "../golden-data.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const LEAF = "leaf-classification";
const NO_ACCOUNT = {
  HOME: "/nonexistent",
  KAGGLE_API_TOKEN: "",
  KAGGLE_USERNAME: "",
  KAGGLE_KEY: "",
  KAGGLE_CONFIG_DIR: "/nonexistent",
};

function doctor(args: string[], env: Record<string, string> = {}) {
  return mlebench(["doctor", ...args], { ...NO_ACCOUNT, ...env });
}

function reportOf(args: string[], env: Record<string, string> = {}): DoctorReport {
  return DoctorReport.parse(JSON.parse(doctor([...args, "--offline", "--json"], env).stdout));
}

describe("doctor", () => {
  it("without an account says where to get one, what to save and which command protects it", () => {
    const { code, stdout } = doctor(["--offline"]);
    expect(code).toBe(1);
    expect(stdout).toContain("No Kaggle credentials were found.");
    expect(stdout).toContain("https://www.kaggle.com/settings/api");
    expect(stdout).toContain("chmod 600");
  });

  it("warns of credentials that others can read, with the command that closes them", () => {
    const config = temporaryFolder();
    const file = writeText(config, "kaggle.json", '{"username":"me","key":"0123"}');
    fs.chmodSync(file, 0o644);
    const report = reportOf([], { KAGGLE_CONFIG_DIR: config });
    const [found, open] = report.checks.filter(({ area }) => area === "kaggle");
    expect(found).toMatchObject({ status: "ok" });
    expect(open).toMatchObject({ status: "warning", fix: `chmod 600 ${file}` });
  });

  it("tells what can be graded only, and what is not there with the command that prepares it", () => {
    const data = layOutGoldenData(temporaryFolder(), [LEAF]);
    const report = reportOf(["-c", LEAF, "spooky-author-identification", "--data-dir", data]);
    expect(report.competitions).toMatchObject([
      { competitionId: LEAF, canGrade: true, canRun: false },
      {
        canGrade: false,
        canRun: false,
        rules: "unknown",
        fix: `mlebench prepare -c spooky-author-identification --data-dir ${data}`,
      },
    ]);
  });

  it("leaves with 0 when everything named is prepared and nothing lacks", () => {
    const data = layOutGoldenData(temporaryFolder(), [LEAF]);
    writeText(data, `${LEAF}/prepared/public/sample_submission.csv`, "id\n1\n");
    const config = temporaryFolder();
    fs.chmodSync(writeText(config, "access_token", "KGAT_x"), 0o600);
    const { code, stdout } = doctor(["-c", LEAF, "--data-dir", data, "--offline"], {
      KAGGLE_CONFIG_DIR: config,
    });
    expect(stdout).toContain(`1 of 1 can be run and graded: ${LEAF}`);
    const lacking = /missing/.test(stdout);
    expect(code).toBe(lacking ? 1 : 0);
  });

  it("compares the space needed with the space free", () => {
    const disk = reportOf(["--all", "--data-dir", path.join(temporaryFolder(), "not/there/yet")]).checks.find(
      ({ area }) => area === "disk",
    );
    expect(disk?.message).toMatch(
      /75 competitions not prepared yet would take about \d+(\.\d+)? TB; .* has .* free/,
    );
  });

  it("looks at sandboxes, Python and optional parts, each lack with a command or a page", () => {
    const { checks } = reportOf([], { PATH: "/nonexistent" });
    const tools = checks.filter(({ area }) => area === "sandbox" || area === "python");
    expect(tools.map(({ name, status }) => [name, status])).toEqual([
      ["bubblewrap", "missing"],
      ["podman", "missing"],
      ["docker", "missing"],
      ["python3", "missing"],
    ]);
    for (const { fix } of tools) expect(fix).toMatch(/^(sudo apt install|https:)/);
    expect(checks.filter(({ area }) => area === "parts").map(({ name }) => name)).toEqual([
      "7z archives",
      "Parquet files",
    ]);
  });

  it("refuses an unknown competition", () => {
    expect(doctor(["-c", "nonsense"]).code).toBe(2);
  });
});
