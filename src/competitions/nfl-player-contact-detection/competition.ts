import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "nfl-player-contact-detection",
  name: "1st and Future - Player Contact Detection",
  category: "Video Classification",
  complexity: "high",
  contest: "code",
  dataSizeGB: 5.01,
  opened: "2022-12-05",
  closed: "2023-03-01",
  metric: { name: "matthews-correlation-coefficient", direction: "maximize" },
  columns: { id: ["contact_id"], target: ["contact"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade,
});
