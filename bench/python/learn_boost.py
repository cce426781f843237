"""Fits scikit-learn's histogram boosting on every fold: learn_boost.py <set folder> <repeats>

Prints the least CPU and wall seconds of all fits together as JSON, and leaves the predictions beside the data.
OMP_NUM_THREADS, set by the caller, says how many threads it may use.
"""

import json
import os
import sys
import time

import numpy
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

folder, repeats = sys.argv[1], int(sys.argv[2])
with open(os.path.join(folder, "set.json")) as file:
    about = json.load(file)
values = numpy.fromfile(os.path.join(folder, "values.f64")).reshape(about["rows"], about["columns"])
target = numpy.fromfile(os.path.join(folder, "target.f64"))
fold = numpy.fromfile(os.path.join(folder, "fold.f64"))
outputs = about.get("classes", 1)
predictions = numpy.zeros((outputs, about["rows"]))
model_kind = HistGradientBoostingRegressor if about["loss"] == "squared" else HistGradientBoostingClassifier

best = {"cpu": float("inf"), "wall": float("inf")}
for _ in range(repeats):
    cpu = wall = 0.0
    for held_out in range(about["folds"]):
        train, test = fold != held_out, fold == held_out
        model = model_kind(max_iter=100, early_stopping=False)
        cpu_start, wall_start = time.process_time(), time.perf_counter()
        model.fit(values[train], target[train])
        cpu += time.process_time() - cpu_start
        wall += time.perf_counter() - wall_start
        if about["loss"] == "squared":
            predictions[0, test] = model.predict(values[test])
        elif outputs == 1:
            predictions[0, test] = model.predict_proba(values[test])[:, 1]
        else:
            predictions[:, test] = model.predict_proba(values[test]).T
    best = {"cpu": min(best["cpu"], cpu), "wall": min(best["wall"], wall)}
predictions.tofile(os.path.join(folder, "sklearn.f64"))
print(json.dumps(best))
