import { defineCompetition } from "../competition.ts";
import { grade, gradeV2 } from "./grade.ts";

export const competition = defineCompetition({
  id: "nomad2018-predict-transparent-conductors",
  name: "Nomad2018 Predicting Transparent Conductors",
  category: "Tabular",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.00624,
  opened: "2017-12-18",
  closed: "2018-02-15",
  metric: { name: "mean-column-wise-rmsle", direction: "minimize" },
  columns: { id: [], target: ["formation_energy_ev_natom", "bandgap_energy_ev"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  errata: [
    {
      defect: "Ids are not compared: rows are paired by position.",
      v2: "Rows are paired by id.",
      corrects: "grader",
    },
  ],
  grade,
  versions: { v2: { grade: gradeV2 } },
});
