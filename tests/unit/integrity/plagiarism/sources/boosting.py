"""Trees on a table: cross-validated, averaged over folds."""
import os
import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

DATA = "/home/data"
SEED = int(os.environ.get("MLEBENCH_SEED", 0))


def read_tables(folder):
    train = pd.read_csv(os.path.join(folder, "train.csv"))
    test = pd.read_csv(os.path.join(folder, "test.csv"))
    return train, test


def add_features(frame):
    # sums and ratios of what is there
    numeric = frame.select_dtypes("number").columns
    frame = frame.copy()
    frame["total"] = frame[numeric].sum(axis=1)
    frame["spread"] = frame[numeric].max(axis=1) - frame[numeric].min(axis=1)
    for column in numeric:
        frame[column + "_log"] = np.log1p(frame[column].clip(lower=0))
    for column in frame.select_dtypes("object").columns:
        counts = frame[column].value_counts()
        frame[column] = frame[column].map(counts).fillna(0)
    return frame


def fit_folds(features, target, test_features, folds=5):
    predictions = np.zeros(len(test_features))
    scores = []
    splitter = StratifiedKFold(n_splits=folds, shuffle=True, random_state=SEED)
    for fold, (inside, outside) in enumerate(splitter.split(features, target)):
        model = HistGradientBoostingClassifier(
            learning_rate=0.05, max_iter=400, l2_regularization=1.0, random_state=SEED + fold
        )
        model.fit(features.iloc[inside], target.iloc[inside])
        held_out = model.predict_proba(features.iloc[outside])[:, 1]
        score = roc_auc_score(target.iloc[outside], held_out)
        print(f"fold {fold}: {score:.5f}")
        scores.append(score)
        predictions += model.predict_proba(test_features)[:, 1] / folds
    print("mean", np.mean(scores), "std", np.std(scores))
    return predictions


def main():
    train, test = read_tables(DATA)
    target = train.pop("target")
    ids = test["id"]
    features = add_features(train.drop(columns=["id"]))
    test_features = add_features(test.drop(columns=["id"]))
    predictions = fit_folds(features, target, test_features)
    submission = pd.DataFrame({"id": ids, "target": predictions})
    submission.to_csv("/home/submission/submission.csv", index=False)


if __name__ == "__main__":
    main()
