import { z } from "zod";

/** A name that Slurm gives to something: nothing that could be read as an option or a second one. */
const Name = z.string().regex(/^[\w.@+:%[(!][\w.@+:%,&|*[\]()!-]*$/, "is not a name that Slurm could have");

/** How `sbatch` is to be asked, beside what every trial's own limits say. */
export const SlurmSettings = z.object({
  partition: Name.optional(),
  account: Name.optional(),
  qos: Name.optional(),
  constraint: Name.optional(),
  /** The nodes that may be used, such as n[1-3]. */
  nodes: Name.optional(),
  /** Options of sbatch's, as they are. */
  args: z.array(z.string().startsWith("--")).optional(),
});
export type SlurmSettings = z.infer<typeof SlurmSettings>;

/** `slurm/<key>.json` in a group's folder: one job array, written down before it is submitted. */
export const SlurmArray = z.looseObject({
  schema: z.literal("mlebench/slurm-array"),
  version: z.literal(1),
  /** The job's name in the queue: by it an array is found whose submitter was killed before it knew its number. */
  key: z.string().regex(/^[\w.-]+$/),
  /** Null until sbatch has answered. */
  jobId: z.string().nullable(),
  submittedAt: z.string(),
  /** Task n runs the n-th of them. */
  trials: z.array(z.string()),
  needs: z.looseObject({ cpus: z.number(), memoryBytes: z.number(), gpus: z.int(), seconds: z.number() }),
});
export type SlurmArray = z.infer<typeof SlurmArray>;
