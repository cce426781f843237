import type { CliCommand } from "./command.ts";

/** One line per command; its file is loaded only when it is called, so that help stays fast. */
export const COMMANDS: Record<string, { summary: string; load: () => Promise<{ command: CliCommand }> }> = {
  demo: {
    summary: "see it work: two agents on the starter competitions, graded and reported",
    load: () => import("./commands/demo.ts"),
  },
  "grade-sample": {
    summary: "grade one submission and see where it stands among people",
    load: () => import("./commands/grading/grade-sample.ts"),
  },
  grade: {
    summary: "grade many submissions and write a grading report",
    load: () => import("./commands/grading/grade.ts"),
  },
  validate: {
    summary: "check a submission's format, without a score",
    load: () => import("./commands/grading/validate.ts"),
  },
  agents: {
    summary: "see the agents there are, and what keeps them from running",
    load: () => import("./commands/trials/agents.ts"),
  },
  models: {
    summary: "see, check and serve the models agents may ask",
    load: () => import("./commands/trials/models.ts"),
  },
  env: {
    summary: "build and check the system agents run in",
    load: () => import("./commands/trials/env.ts"),
  },
  run: { summary: "run an agent on competitions", load: () => import("./commands/trials/run.ts") },
  resume: { summary: "finish an interrupted run group", load: () => import("./commands/trials/resume.ts") },
  trial: {
    summary: "run one trial of a planned group, on whatever machine sees it",
    load: () => import("./commands/trials/trial.ts"),
  },
  status: { summary: "show run groups and their trials", load: () => import("./commands/trials/status.ts") },
  cancel: { summary: "end one trial now", load: () => import("./commands/trials/cancel.ts") },
  logs: { summary: "show a trial's log", load: () => import("./commands/trials/logs.ts") },
  view: {
    summary: "look at runs in a browser, while they happen and afterwards",
    load: () => import("./commands/results/view.ts"),
  },
  verify: {
    summary: "check what a certificate can prove",
    load: () => import("./commands/trials/verify.ts"),
  },
  keys: { summary: "make and list signing keys", load: () => import("./commands/trials/keys.ts") },
  "make-submission": {
    summary: "list a group's submissions for grading",
    load: () => import("./commands/trials/make-submission.ts"),
  },
  aggregate: {
    summary: "turn grading reports of several seeds into numbers with their uncertainty",
    load: () => import("./commands/results/aggregate.ts"),
  },
  compare: {
    summary: "compare two agents over the same competitions and seeds",
    load: () => import("./commands/results/compare.ts"),
  },
  report: {
    summary: "write the results of run groups as HTML, Markdown, JSON, JUnit or a GitHub summary",
    load: () => import("./commands/results/report.ts"),
  },
  failures: {
    summary: "see why trials failed, with the evidence",
    load: () => import("./commands/results/failures.ts"),
  },
  integrity: {
    summary: "look for broken rules, copied code and memorised answers; decide what counts",
    load: () => import("./commands/integrity/integrity.ts"),
  },
  plagiarism: {
    summary: "compare the code of trials with public notebooks and each other",
    load: () => import("./commands/integrity/plagiarism.ts"),
  },
  rules: {
    summary: "look for broken rules in code, logs and submissions, with the evidence",
    load: () => import("./commands/integrity/rules.ts"),
  },
  familiarity: {
    summary: "measure what a model remembers of competitions",
    load: () => import("./commands/integrity/familiarity.ts"),
  },
  kernels: {
    summary: "get the public notebooks that plagiarism compares with",
    load: () => import("./commands/integrity/kernels.ts"),
  },
  scorecard: {
    summary: "score an agent in five dimensions, with every formula and input",
    load: () => import("./commands/results/scorecard.ts"),
  },
  standings: {
    summary: "a table of agents, the published leaderboard included",
    load: () => import("./commands/results/standings.ts"),
  },
  leaderboard: { summary: "the same as standings", load: () => import("./commands/results/standings.ts") },
  experiment: {
    summary: "run and report a matrix of agents, budgets and settings",
    load: () => import("./commands/results/experiment.ts"),
  },
  repo: {
    summary: "understand repositories and find the one that solves a task; nothing of them is run",
    load: () => import("./commands/repo/repo.ts"),
  },
  audit: {
    summary: "scan prepared data for leaks and defects",
    load: () => import("./commands/data/audit.ts"),
  },
  prepare: {
    summary: "get a competition's data and prepare it",
    load: () => import("./commands/data/prepare.ts"),
  },
  doctor: {
    summary: "see what works on this machine and how to fix the rest",
    load: () => import("./commands/doctor.ts"),
  },
  import: {
    summary: "take over texts and boards of the original, or a job of Harbor",
    load: () => import("./commands/data/import.ts"),
  },
  export: {
    summary: "write tasks and results in the formats of others: Harbor, Inspect, ATIF",
    load: () => import("./commands/exchange/export.ts"),
  },
  init: {
    summary: "make a competition of your own from a CSV file",
    load: () => import("./commands/data/init.ts"),
  },
  completion: {
    summary: "let the shell complete commands, ids, groups and trials",
    load: () => import("./commands/completion.ts"),
  },
  dev: { summary: "tools for maintainers", load: () => import("./commands/data/dev.ts") },
  list: { summary: "list the competitions", load: () => import("./commands/list.ts") },
  show: {
    summary: "show one competition: facts, medals, known defects",
    load: () => import("./commands/show.ts"),
  },
};
