import { defineCompetition } from "../competition.ts";
import { grade, gradeV2 } from "./grade.ts";

export const competition = defineCompetition({
  id: "stanford-covid-vaccine",
  name: "OpenVaccine: COVID-19 mRNA Vaccine Degradation Prediction",
  category: "Tabular",
  complexity: "high",
  contest: "simple",
  dataSizeGB: 2.68,
  opened: "2020-09-11",
  closed: "2020-10-06",
  metric: { name: "multi-class-log-loss", direction: "minimize" },
  columns: { id: ["id_seqpos"], target: ["reactivity", "deg_Mg_pH10", "deg_pH10", "deg_Mg_50C", "deg_50C"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  errata: [
    {
      defect: "Which rows are scored is decided by their position in the file, not by their id.",
      v2: "Rows are selected by id.",
      corrects: "grader",
    },
  ],
  grade,
  versions: { v2: { grade: gradeV2 } },
});
