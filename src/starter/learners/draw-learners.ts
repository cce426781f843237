import type { DenseMatrix } from "../../learning/matrix.ts";
import type { Draw } from "../making/draw.ts";
import type { Learner, Target } from "../making/method.ts";
import {
  boosting,
  forest,
  gaussianBayes,
  logistic,
  neighbours,
  perceptron,
  ridge,
} from "./dense-learners.ts";

type DenseLearner = Learner<DenseMatrix>;

/** How much the largest models may compute. */
export interface Effort {
  readonly trees: number;
  readonly epochs: number;
  /** Steps of a logistic regression; 60 if left out. */
  readonly iterations?: number;
}

/** Learners with settings as people try them: sensible ones, too weak ones and too strong ones. */
const learners = {
  linear(draw: Draw, effort: Effort, kind: Target["kind"]): DenseLearner {
    const l2 = draw.scale(0.1, 1000);
    return kind === "number" || draw.chance(0.25) ? ridge(l2) : logistic(l2, effort.iterations);
  },
  neighbours(draw: Draw): DenseLearner {
    const k = draw.pick([1, 3, 5, 7, 10, 15, 20, 30, 50]);
    return neighbours(
      k,
      draw.pick(["equal", "inverse-distance"]),
      draw.pick(["euclidean", "euclidean", "cosine"]),
    );
  },
  bayes(draw: Draw): DenseLearner {
    return gaussianBayes(draw.pick([0.01, 0.03, 0.1, 0.3]));
  },
  tree(draw: Draw): DenseLearner {
    return forest({
      trees: 1,
      kind: "random",
      seed: draw.seed(),
      maxDepth: draw.whole(2, 12),
      minSamplesLeaf: draw.pick([1, 3, 5, 10, 20, 50]),
      featureShare: draw.pick([0.5, 1]),
    });
  },
  forest(draw: Draw, effort: Effort): DenseLearner {
    return forest({
      trees: Math.max(5, Math.round(effort.trees * draw.pick([0.3, 0.6, 1]))),
      kind: draw.pick(["random", "extra"]),
      seed: draw.seed(),
      minSamplesLeaf: draw.pick([1, 2, 3, 5, 10]),
      ...(draw.chance(0.5) ? { featureShare: draw.pick([0.15, 0.3, 0.5]) } : {}),
    });
  },
  boosting(draw: Draw, effort: Effort, kind: Target["kind"]): DenseLearner {
    const slow = draw.chance(0.4);
    return boosting({
      trees: Math.max(10, Math.round(effort.trees * (slow ? 2 : draw.pick([0.3, 0.6, 1])))),
      learningRate: slow ? draw.pick([0.03, 0.05]) : draw.pick([0.05, 0.1, 0.2]),
      maxLeaves: draw.pick([4, 6, 8, 12, 16, 31]),
      minSamplesLeaf: draw.pick([5, 10, 20, 40]),
      l2: draw.pick([0, 0, 1, 5]),
      seed: draw.seed(),
      ...(draw.chance(0.5) ? { rowFraction: draw.pick([0.5, 0.7, 0.8]) } : {}),
      ...(draw.chance(0.5) ? { featureFraction: draw.pick([0.3, 0.5, 0.7]) } : {}),
      ...(kind === "number" && draw.chance(0.2) ? { loss: "absolute" } : {}),
    });
  },
  network(draw: Draw, effort: Effort): DenseLearner {
    return perceptron({
      hidden: draw.pick([[16], [32], [64], [128], [32, 16], [64, 32]]),
      epochs: Math.max(3, Math.round(effort.epochs * draw.pick([0.3, 0.6, 1]))),
      learningRate: draw.pick([0.0005, 0.001, 0.003]),
      dropout: draw.pick([0, 0, 0.2, 0.4]),
      seed: draw.seed(),
    });
  },
} satisfies Record<string, (draw: Draw, effort: Effort, kind: Target["kind"]) => DenseLearner>;

export type LearnerKind = keyof typeof learners;

export function drawLearner(
  draw: Draw,
  which: LearnerKind,
  effort: Effort,
  kind: Target["kind"],
): DenseLearner {
  return (learners[which] as (draw: Draw, effort: Effort, kind: Target["kind"]) => DenseLearner)(
    draw,
    effort,
    kind,
  );
}
