"""The taxi preparation with pandas and scikit-learn: read, split, write. Usage: prepare_taxi.py <raw folder> <output folder>"""
import os
import resource
import sys

import pandas as pd
from sklearn.model_selection import train_test_split

raw, out = sys.argv[1:]
os.makedirs(out, exist_ok=True)
data = pd.read_csv(os.path.join(raw, "train.csv"), float_precision="round_trip")
train, test = train_test_split(data, test_size=9914, random_state=0)
train.to_csv(os.path.join(out, "labels.csv"), index=False)
test.drop(columns=["fare_amount"]).to_csv(os.path.join(out, "test.csv"), index=False)
test.to_csv(os.path.join(out, "answers.csv"), index=False)
sample = test[["key"]].copy()
sample["fare_amount"] = 11.35
sample.to_csv(os.path.join(out, "sample_submission.csv"), index=False)
with open(os.environ["BENCH_PEAK_FILE"], "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
