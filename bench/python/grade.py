"""Grades one pair of files the way a pandas and scikit-learn script does, for comparison: grade.py <metric> <answers> <submission>.

Both files are read whole, sorted by id, the ids are compared, and the metric is computed. The peak of memory goes to the
file that BENCH_PEAK_FILE names.
"""
import atexit
import os
import resource
import sys

import numpy as np
import pandas as pd


def write_peak():
    with open(os.environ["BENCH_PEAK_FILE"], "w") as file:
        file.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))


def aligned(answers_path, submission_path, id_column):
    submission = pd.read_csv(submission_path, float_precision="round_trip")
    answers = pd.read_csv(answers_path, float_precision="round_trip")
    submission = submission.sort_values(by=id_column).reset_index(drop=True)
    answers = answers.sort_values(by=id_column).reset_index(drop=True)
    if len(submission) != len(answers) or not (submission[id_column] == answers[id_column]).all():
        sys.exit("the ids differ")
    return answers, submission


def auc(answers_path, submission_path):
    from sklearn.metrics import roc_auc_score

    answers, submission = aligned(answers_path, submission_path, "id")
    if not submission["has_cactus"].between(0, 1).all():
        sys.exit("not a probability")
    return roc_auc_score(y_true=answers["has_cactus"], y_score=submission["has_cactus"])


def auc_tabular(answers_path, submission_path):
    from sklearn.metrics import roc_auc_score

    answers, submission = aligned(answers_path, submission_path, "id")
    return roc_auc_score(y_true=answers["target"], y_score=submission["target"])


def log_loss(answers_path, submission_path):
    from sklearn.metrics import log_loss as loss

    answers, submission = aligned(answers_path, submission_path, "id")
    classes = [f"class_{i}" for i in range(10)]
    predicted = submission[classes].to_numpy()
    if ((predicted < 0) | (predicted > 1)).any() or not np.isclose(predicted.sum(axis=1), 1, atol=1e-6).all():
        sys.exit("no distribution")
    return loss(y_true=answers[classes].to_numpy(), y_pred=predicted)


def accuracy(answers_path, submission_path):
    from sklearn.metrics import accuracy_score

    answers, submission = aligned(answers_path, submission_path, "Id")
    return accuracy_score(y_true=answers["Cover_Type"], y_pred=submission["Cover_Type"])


def rmse(answers_path, submission_path):
    from sklearn.metrics import mean_squared_error

    answers, submission = aligned(answers_path, submission_path, "Id")
    return mean_squared_error(y_true=answers["Pawpularity"], y_pred=submission["Pawpularity"], squared=False)


def map_at_5(answers_path, submission_path):
    answers, submission = aligned(answers_path, submission_path, "image")
    actual = answers["hotel_id"].astype(str).str.split(" ")
    ranked = submission["hotel_id"].astype(str).str.split(" ")
    return np.mean([average_precision(a, p[:5]) for a, p in zip(actual, ranked)])


def average_precision(actual, predicted):
    hits = 0
    score = 0.0
    for rank, entry in enumerate(predicted):
        if entry in actual and entry not in predicted[:rank]:
            hits += 1
            score += hits / (rank + 1)
    return score / min(len(actual), 5)


def levenshtein(answers_path, submission_path):
    from Levenshtein import distance

    answers, submission = aligned(answers_path, submission_path, "image_id")
    return np.mean([distance(a, p) for a, p in zip(answers["InChI"], submission["InChI"])])


def dice(answers_path, submission_path):
    answers, submission = aligned(answers_path, submission_path, "record_id")
    shared = predicted_pixels = true_pixels = 0
    columns = zip(answers["encoded_pixels"], submission["encoded_pixels"], answers["height"], answers["width"])
    for truth_text, predicted_text, height, width in columns:
        truth = decode(truth_text, height, width)
        predicted = decode(predicted_text, height, width)
        shared += np.logical_and(truth, predicted).sum()
        true_pixels += truth.sum()
        predicted_pixels += predicted.sum()
    return 2 * shared / (true_pixels + predicted_pixels)


def decode(text, height, width):
    mask = np.zeros(height * width, dtype=np.uint8)
    if text != "-":
        numbers = np.array(text.split(), dtype=int)
        for start, length in zip(numbers[0::2] - 1, numbers[1::2]):
            mask[start : start + length] = 1
    return mask


METRICS = {
    "auc": auc,
    "auc-tabular": auc_tabular,
    "log-loss": log_loss,
    "accuracy": accuracy,
    "rmse": rmse,
    "map-at-5": map_at_5,
    "levenshtein": levenshtein,
    "dice": dice,
}

if __name__ == "__main__":
    atexit.register(write_peak)
    _, metric, answers_file, submission_file = sys.argv
    print(METRICS[metric](answers_file, submission_file))
