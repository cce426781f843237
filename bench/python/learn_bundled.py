"""Writes data sets that come with scikit-learn as raw 64-bit numbers: learn_bundled.py <folder> <name>…"""

import json
import os
import sys

import numpy
from sklearn import datasets

LOSSES = {"breast_cancer": "log", "diabetes": "squared", "digits": "softmax"}
FOLDS = 5

folder, *names = sys.argv[1:]
for name in names:
    values, target = getattr(datasets, f"load_{name}")(return_X_y=True)
    rows, columns = values.shape
    fold = numpy.random.RandomState(0).permutation(rows) % FOLDS
    own = os.path.join(folder, name)
    os.makedirs(own, exist_ok=True)
    for file, numbers in {"values": values, "target": target, "fold": fold}.items():
        numpy.ascontiguousarray(numbers, dtype="float64").tofile(os.path.join(own, f"{file}.f64"))
    description = {"name": name, "rows": rows, "columns": columns, "loss": LOSSES[name], "folds": FOLDS}
    if LOSSES[name] == "softmax":
        description["classes"] = int(target.max()) + 1
    with open(os.path.join(own, "set.json"), "w") as out:
        json.dump(description, out)
