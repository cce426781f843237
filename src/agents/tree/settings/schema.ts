import { z } from "zod";

const Switch = z.boolean();
const Share = z.number().min(0).max(1);
const Count = z.int().min(0);

/**
 * Every setting of the search, by the name it has on the command line (`name=value`). Those that begin with `agent.`
 * and `exec.` have AIDE's own names; `search.` and `parts.` are ours. The defaults here are AIDE's
 * of the published runs on MLE-bench; a preset names every field.
 */
export const TreeSettings = z.strictObject({
  preset: z.string().default("tree/aide"),

  "agent.steps": z.int().min(1).default(500),
  "agent.k_fold_validation": Count.default(5),
  "agent.data_preview": Switch.default(true),
  "agent.convert_system_to_user": Switch.default(false),
  "agent.obfuscate": Switch.default(false),
  /** `auto`: Python where the sandbox has it, JavaScript otherwise. */
  "agent.language": z.enum(["auto", "python", "js"]).default("auto"),
  /** A role or a name of the run's models; the original's own names stand for the run's default model. */
  "agent.code.model": z.string().default("code"),
  "agent.code.temp": z.number().min(0).max(2).default(0.5),
  "agent.code.top_p": z.number().gt(0).max(1).default(1),
  "agent.feedback.model": z.string().default("feedback"),
  "agent.feedback.temp": z.number().min(0).max(2).default(0.5),
  "agent.search.num_drafts": z.int().min(1).default(5),
  "agent.search.debug_prob": Share.default(1),
  "agent.search.max_debug_depth": Count.default(20),
  "exec.timeout": z.number().positive().default(32_400),
  /** As the original in everything, its known traps included. */
  compat: Switch.default(false),

  /** Who reviews a step: the model each time, or only where we cannot measure ourselves. */
  "agent.review": z.enum(["always", "fallback"]).default("always"),
  "search.policy": z.enum(["greedy", "uct", "evolution", "mixed"]).default("greedy"),
  /** Steps side by side; 0: one for each GPU, and one where there is none. */
  "search.workers": z.int().min(0).max(64).default(1),
  /** A worker that ends takes the next step at once; otherwise all wait for the slowest, and one seed is one search. */
  "search.asynchronous": Switch.default(false),
  /** Of all that repairs of one fault may take, in seconds; 0: no bound. */
  "search.debug_seconds": z.number().min(0).default(0),
  /** At most this many improvements of one node, where the policy bounds them; 0: no bound. */
  "search.children": Count.default(0),
  /** The same for the best `top_k`; 0: as for the others. */
  "search.children_top": Count.default(0),
  "search.uct_c": z.number().min(0).default(0.25),
  /** What `uct_c` falls to between `uct_from` and `uct_to`, as shares of the steps. */
  "search.uct_c_end": z.number().min(0).default(0.25),
  "search.uct_from": Share.default(1),
  "search.uct_to": Share.default(1),
  /** It falls by so much a step, once each draft's branches could be full, and has reached its end at `uct_to`; 0: in a straight line. */
  "search.uct_decay": z.number().min(0).default(0),
  /** `mixed`: it always explores before the one share of the budget, as often as `explore_end` after the other. */
  "search.explore_from": Share.default(1),
  "search.explore_to": Share.default(1),
  "search.explore_end": Share.default(1),
  /** `value`: the normalised metric; `reward`: −1 for a fault, +1 good, +1.5 repaired or a new best. */
  "search.backup": z.enum(["value", "reward"]).default("value"),
  /** Reward times (seconds / limit) to this power: below 0 quick scripts count more. */
  "search.time_penalty": z.number().default(0),
  /** `mixed`: where it does not explore it picks among so many of the best, at most so many of one branch. */
  "search.top_k": z.int().min(1).default(5),
  "search.per_branch": z.int().min(1).default(3),
  /** The same after `explore_to`. */
  "search.late_top_k": z.int().min(1).default(5),
  "search.late_per_branch": z.int().min(1).default(3),
  /** `evolution`: parents come from generations that have ended; `steady`: from all that there is. */
  "search.generation": z.int().min(1).default(5),
  "search.steady": Switch.default(false),
  /** Only so many of the best can be parents. */
  "search.population": z.int().min(1).default(500),
  "search.crossover_prob": Share.default(0),
  "search.crossover_from": Count.default(2),
  "search.softmax": z.number().positive().default(1),
  /** Less than this does not count as a new best, as far as rewards and standing still are concerned. */
  "search.threshold": z.number().min(0).default(0),
  /** Good steps in a row without a new best before the search stands still; 0: it never does. */
  "search.stagnation": Count.default(0),
  /** The same within the branch of the node that is worked on. */
  "search.branch_stagnation": Count.default(0),
  /** Where it stands still: how often branches are joined, from this share of the budget on. */
  "search.fuse_prob": Share.default(0),
  "search.fuse_from": Share.default(0),
  /** How often all good branches are joined in a new root, between two shares of the budget. */
  "search.aggregate_most": Count.default(0),
  "search.aggregate_from": Share.default(0.5),
  "search.aggregate_to": Share.default(1),

  /** A metric of our own on rows the scripts never see: 80 % to learn from, 10 % guide, 10 % choose the end. */
  "parts.holdout": Switch.default(true),
  /** A part of the budget kept for the end: top-k measured again, averaged, learned again from all rows. */
  "parts.endgame": Switch.default(false),
  "parts.endgame_share": Share.default(0.15),
  "parts.endgame_top": z.int().min(1).default(5),
  /** Each of the best is measured so often again, each time on other hidden rows, while the time suffices. */
  "parts.endgame_looks": z.int().min(0).max(4).default(1),
  /** The chosen script runs once more on all rows before the end. */
  "parts.refit": Switch.default(true),
  "parts.ensemble": Switch.default(false),
  "parts.crossover": Switch.default(false),
  "parts.refine": Switch.default(false),
  /** Where it stands still and nothing is joined, the next step is shown the whole way of its branch. */
  "parts.evolve": Switch.default(false),
  "parts.baseline": Switch.default(false),
  "parts.baseline_seconds": z.number().positive().default(960),
  /** Draft simple ones first, then normal and complex ones. */
  "parts.complexity": Switch.default(false),
  /** Each draft has another family of models to begin with. */
  "parts.families": Switch.default(false),
  /** Drafts are told of their siblings' ideas and asked for another. */
  "parts.diversity": Switch.default(true),
  "parts.memory": z.enum(["all", "scoped", "off"]).default("all"),
  "parts.memory_tokens": Count.default(8000),
  /** What changed between a step and a better or worse child, told to all branches. */
  "parts.lessons": Switch.default(false),
  /** What each ten steps brought, in a few lines. */
  "parts.phase_notes": Switch.default(false),
  "parts.overview_tokens": Count.default(1700),
  "parts.packages": Switch.default(true),
  "parts.time_prompts": Switch.default(true),
  /** Replies of one repair; more than one reads its own output. */
  "parts.debug_turns": z.int().min(1).default(1),
  /** A repair runs on a part of the rows first where the script is slow. */
  "parts.sample_first": Switch.default(false),
  /** A program may be several files. */
  "parts.modules": Switch.default(false),
  /** Leaks, results too good to be true, copies of the sample. */
  "parts.checks": Switch.default(true),
});
export type TreeSettings = z.infer<typeof TreeSettings>;
export type SettingName = keyof TreeSettings;
