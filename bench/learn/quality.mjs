// Two sets of predictions on the same folds: is one worse than chance differences between folds explain?

/** A difference below this share of the loss is too small to matter, whatever the folds say. */
const NEGLIGIBLE = 0.005;

/** Mean losses (log loss, or root of the mean square), and whether ours is no worse within noise. */
export function compareQuality(about, target, fold, ours, theirs) {
  const folds = Array.from({ length: about.folds }, (_, i) => i);
  const lossOf = (predictions) => folds.map((own) => foldLoss(about, target, fold, own, predictions));
  const [our, their] = [lossOf(ours), lossOf(theirs)];
  const differences = our.map((loss, i) => loss - their[i]);
  const spread = Math.sqrt(mean(differences.map((d) => (d - mean(differences)) ** 2)) / (folds.length - 1));
  const allowed = Math.max(2 * spread, NEGLIGIBLE * mean(their));
  return { ours: mean(our), theirs: mean(their), allowed, within: mean(differences) <= allowed };
}

/** The mean loss of predictions that have nothing to be compared with. */
export function meanLoss(about, target, fold, predictions) {
  return mean(
    Array.from({ length: about.folds }, (_, own) => foldLoss(about, target, fold, own, predictions)),
  );
}

function foldLoss({ rows, loss, classes = 1 }, target, fold, own, predictions) {
  let [sum, count] = [0, 0];
  for (let row = 0; row < rows; row++) {
    if (fold[row] !== own) continue;
    count++;
    if (loss === "squared") sum += (predictions[row] - target[row]) ** 2;
    else if (classes === 1) sum -= Math.log(target[row] === 1 ? predictions[row] : 1 - predictions[row]);
    else sum -= Math.log(predictions[target[row] * rows + row]);
  }
  return loss === "squared" ? Math.sqrt(sum / count) : sum / count;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
