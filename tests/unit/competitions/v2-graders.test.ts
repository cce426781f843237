import { describe, expect, it } from "vitest";
import { ENTRIES } from "../../../src/competitions/catalogue.generated.ts";
import { loadCompetition } from "../../../src/competitions/catalogue.ts";
import {
  type CompetitionVersion,
  graderOf,
  hasCorrectedData,
} from "../../../src/competitions/competition.ts";
import { gradeFiles } from "../../../src/grading/run-grader.ts";
import { temporaryFolder, writeText } from "../../e2e/temporary-folder.ts";

const folder = temporaryFolder();

async function verdict(
  id: string,
  version: CompetitionVersion,
  submission: string,
  answers: string,
  answersName = "answers.csv",
) {
  const { competition } = (await loadCompetition(id))!;
  return gradeFiles(graderOf(competition, version)!, {
    submission: writeText(folder, `${id}/submission.csv`, submission),
    answers: writeText(folder, `${id}/${answersName}`, answers),
  });
}

async function scores(id: string, submission: string, answers: string, answersName?: string) {
  const both = await Promise.all(
    (["v1", "v2"] as const).map((version) => verdict(id, version, submission, answers, answersName)),
  );
  return both.map((outcome) => (outcome.status === "scored" ? outcome.score : outcome.status));
}

describe("version v2 of the graders", () => {
  it("exists exactly where an erratum says that the grader is corrected", async () => {
    for (const { id } of ENTRIES) {
      const { competition } = (await loadCompetition(id))!;
      const corrected = (competition.errata ?? []).some(({ corrects }) => corrects === "grader");
      expect([id, competition.versions?.v2?.grade !== undefined]).toEqual([id, corrected]);
      const any = corrected || hasCorrectedData(competition);
      expect([id, graderOf(competition, "v2") !== null]).toEqual([id, any]);
    }
  });

  it("jigsaw-unintended-bias: ranks predictions as they are instead of cutting them at one half", async () => {
    const identities =
      "male,female,homosexual_gay_or_lesbian,christian,jewish,muslim,black,white,psychiatric_or_mental_illness";
    const row = (id: number, toxicity: number, mentioned: number) =>
      `${id},${toxicity},${Array(9).fill(mentioned).join(",")}`;
    const rows = [row(1, 1, 1), row(2, 0, 1), row(3, 1, 0), row(4, 0, 0)];
    const answers = `id,toxicity,${identities}\n${rows.join("\n")}\n`;
    const submission = "id,prediction\n1,0.4\n2,0.1\n3,0.3\n4,0.2\n";
    expect(await scores("jigsaw-unintended-bias-in-toxicity-classification", submission, answers)).toEqual([
      0.5, 1,
    ]);
  });

  it("vinbigdata: a perfect submission scores 1, and boxes apart from each other do not match", async () => {
    const id = "vinbigdata-chest-xray-abnormalities-detection";
    const answers = "image_id,class_id,x_min,y_min,x_max,y_max\na,1,0,0,10,10\nb,1,100,100,120,120\n";
    const perfect = "image_id,PredictionString\na,1 0.9 0 0 10 10\nb,1 0.8 100 100 120 120\n";
    const [v1, v2] = await scores(id, perfect, answers);
    expect(v1).toBeLessThan(1);
    expect(v2).toBe(1);
    const apart = "image_id,PredictionString\na,1 0.9 50 50 60 60\nb,1 0.8 121 121 125 125\n";
    const [misread, read] = await scores(id, apart, answers);
    expect(misread).toBeGreaterThan(0);
    expect(read).toBe(0);
  });

  it("ranzcr: all eleven findings are graded, and a file without the last two is refused", async () => {
    const nine = [
      "ETT - Abnormal",
      "ETT - Borderline",
      "ETT - Normal",
      "NGT - Abnormal",
      "NGT - Borderline",
    ].concat(["NGT - Incompletely Imaged", "NGT - Normal", "CVC - Abnormal", "CVC - Borderline"]);
    const eleven = [...nine, "CVC - Normal", "Swan Ganz Catheter Present"];
    const table = (columns: string[], rows: [string, number[]][]) =>
      `${["StudyInstanceUID", ...columns].join(",")}\n${rows.map(([id, cells]) => [id, ...cells].join(",")).join("\n")}\n`;
    const answers = table(eleven, [
      ["a", Array(11).fill(1)],
      ["b", Array(11).fill(0)],
    ]);
    // Right about the nine, wrong about the two that v1 does not look at.
    const told = table(eleven, [
      ["a", [...Array(9).fill(0.9), 0.1, 0.1]],
      ["b", [...Array(9).fill(0.1), 0.9, 0.9]],
    ]);
    const id = "ranzcr-clip-catheter-line-classification";
    const [, v2] = await scores(id, told, answers);
    expect(v2).toBe(0.81818); // 9 of 11, to the five decimals of a grade
    const short = table(nine, [
      ["a", Array(9).fill(0.9)],
      ["b", Array(9).fill(0.1)],
    ]);
    expect(await scores(id, short, answers)).toEqual([1, "invalid"]);
  });

  it("tgs-salt: an empty prediction for an image with salt is empty, not full", async () => {
    const full = `1 ${101 * 101}`;
    const outcome = await scores(
      "tgs-salt-identification-challenge",
      "id,rle_mask\na,\nb,\n",
      `id,rle_mask\na,${full}\nb,\n`,
    );
    expect(outcome).toEqual([1, 0.5]);
  });

  it("stanford: a file in another order than the answers scores the same", async () => {
    const header = "id_seqpos,reactivity,deg_Mg_pH10,deg_pH10,deg_Mg_50C,deg_50C";
    const answers = `${header},keep\na,1,1,1,1,1,True\nb,2,2,2,2,2,False\nc,5,5,5,5,5,True\n`;
    const submission = `${header}\nb,9,9,9,9,9\na,1,1,1,1,1\nc,5,5,5,5,5\n`;
    const [v1, v2] = await scores("stanford-covid-vaccine", submission, answers);
    expect(v1).not.toBe(0);
    expect(v2).toBe(0);
  });

  it("nomad2018: rows are paired by id, and other ids are refused", async () => {
    const id = "nomad2018-predict-transparent-conductors";
    const header = "id,formation_energy_ev_natom,bandgap_energy_ev";
    const answers = `${header}\n1,0.1,1\n2,0.9,3\n`;
    const [v1, v2] = await scores(id, `${header}\n2,0.9,3\n1,0.1,1\n`, answers);
    expect(v1).toBeGreaterThan(0);
    expect(v2).toBe(0);
    expect(await scores(id, `${header}\n7,0.1,1\n8,0.9,3\n`, answers)).toEqual([0, "invalid"]);
  });

  it("taxi: keys that only sort like the real ones are refused", async () => {
    const answers = "key,fare_amount\nb,2\na,1\n";
    const id = "new-york-city-taxi-fare-prediction";
    expect(await scores(id, "key,fare_amount\nx,1\ny,2\n", answers)).toEqual([0, "invalid"]);
    expect(await scores(id, "key,fare_amount\na,1\nb,2\n", answers)).toEqual([0, 0]);
  });

  it.each([
    ["facebook-recruiting-iii-keyword-extraction", "Id,Tags"],
    ["plant-pathology-2021-fgvc8", "image,labels"],
  ])("%s: labels that no answer uses count as wrong", async (id, header) => {
    const outcome = await scores(id, `${header}\n1,c java nonsense nonsense\n`, `${header}\n1,c java\n`);
    expect(outcome).toEqual([1, 0.8]);
  });

  it("tensorflow2-question-answering: saying nothing earns nothing", async () => {
    const annotation = (start: number, end: number) => ({
      long_answer: { start_token: start, end_token: end },
      short_answers: [],
      yes_no_answer: "NONE",
    });
    const answers = [
      { example_id: "1", annotations: [annotation(5, 9)] },
      { example_id: "2", annotations: [annotation(-1, -1)] },
    ];
    const submission = "example_id,PredictionString\n1_long,\n1_short,\n2_long,\n2_short,\n";
    const text = `${answers.map((example) => JSON.stringify(example)).join("\n")}\n`;
    const id = "tensorflow2-question-answering";
    expect(await scores(id, submission, text, "answers.jsonl")).toEqual([0.75, 0]);
    const found = submission.replace("1_long,", "1_long,5:9").replace("2_short,", "2_short,YES");
    expect(await scores(id, found, text, "answers.jsonl")).toEqual([0.75, 0.66667]);
  });
});
