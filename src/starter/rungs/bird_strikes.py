"""Rungs of starter-bird-strikes: AUC of damage, many rare categories."""
import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix, hstack
from scipy.stats import rankdata
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import OneHotEncoder
from xgboost import XGBClassifier

from shared import SEED, blend, blend_weights, cross_predict, folds, submission, tables

WORDS = ["airport", "state", "aircraft", "operator", "phase", "time_of_day", "wildlife_size", "species"]


def both_of(public):
    train, test = tables(public)
    both = pd.concat([train, test], ignore_index=True)
    date = pd.to_datetime(both["date"])
    both["year"], both["month"] = date.dt.year, date.dt.month
    both["day_of_year"], both["weekday"] = date.dt.dayofyear, date.dt.dayofweek
    both[WORDS] = both[WORDS].fillna("none")
    return both, train["damage"].values, test


def answer(test, values):
    ranks = rankdata(values)
    return submission(test["strike_id"], "strike_id", damage=np.round((ranks - 1) / max(1, len(ranks) - 1), 6))


def by_size(public):
    train, test = tables(public)
    return answer(test, test["wildlife_size"].map(train.groupby("wildlife_size")["damage"].mean()).fillna(0))


def numbers(both, y):
    """Codes, counts, and the numbers themselves. Rates of damage are added in `with_rates`, fold by fold."""
    x = both[["year", "month", "day_of_year", "weekday", "speed_knots"]].copy()
    for column in WORDS:
        x[f"{column}_count"] = both[column].map(both[column].value_counts())
        x[f"{column}_code"] = both[column].astype("category").cat.codes
    size = both["wildlife_size"].map({"Small": 0, "Medium": 1, "Large": 2})
    x["size"] = size
    x["speed_missing"] = both["speed_knots"].isna()
    x["energy"] = (1 + size) ** 2 * both["speed_knots"].fillna(120) ** 2
    return x.astype(float)


PAIRS = [("species",), ("aircraft",), ("operator",), ("airport",), ("phase",), ("wildlife_size", "phase"),
         ("aircraft", "wildlife_size"), ("species", "phase"), ("operator", "wildlife_size"), ("state",)]


def rates(keys, y, rows, asked, weight=15.0):
    """Smoothed rate of damage by group, from `rows`; a row's own target is left out when it is among them."""
    prior = y[rows].mean()
    frame = pd.DataFrame({"key": keys[rows], "y": y[rows]}).groupby("key")["y"].agg(["sum", "count"])
    total = pd.Series(keys[asked]).map(frame["sum"]).fillna(0).values
    count = pd.Series(keys[asked]).map(frame["count"]).fillna(0).values
    return (total + weight * prior) / (count + weight)


def with_rates(public, model):
    """The rows are their numbers: rates have to be learned within each fold."""
    both, y, test = both_of(public)
    base = numbers(both, y).values
    keys = [both[list(pair)].agg("|".join, axis=1).values for pair in PAIRS]
    n = len(y)

    def fit_predict(rows, _, asked):
        inner = folds(len(rows), 5, y[rows], seed=SEED + 7)
        train = np.zeros((len(rows), len(keys)))
        for k, key in enumerate(keys):
            for learn, out in inner:
                train[out, k] = rates(key, y, rows[learn], rows[out])
        extra = np.stack([rates(key, y, rows, asked) for key in keys], 1)
        fitted = model().fit(np.hstack([base[rows], train]), y[rows])
        return fitted.predict_proba(np.hstack([base[asked], extra]))[:, 1]

    return fit_predict, np.arange(n), y, np.arange(n, len(both)), test


def sparse(public, c):
    both, y, test = both_of(public)
    words = OneHotEncoder(min_frequency=3, handle_unknown="ignore").fit_transform(
        both[WORDS + ["year", "month"]].astype(str))
    crossed = OneHotEncoder(min_frequency=4, handle_unknown="ignore").fit_transform(
        np.stack([both[list(pair)].agg("|".join, axis=1) for pair in PAIRS if len(pair) > 1], 1))
    texts = TfidfVectorizer(min_df=3).fit_transform(both["aircraft"] + " " + both["species"])
    speed = both["speed_knots"].fillna(130).values
    bins = np.eye(8)[np.digitize(speed, [60, 90, 110, 130, 145, 165, 200])]
    matrix = csr_matrix(hstack([words, crossed, texts, csr_matrix(bins)]))
    n = len(y)

    def fit_predict(rows, _, asked):
        fitted = LogisticRegression(C=c, max_iter=500, solver="liblinear").fit(matrix[rows], y[rows])
        return fitted.predict_proba(matrix[asked])[:, 1]

    return fit_predict, np.arange(n), y, np.arange(n, len(both)), test


def xgb(seed=SEED, trees=500, depth=5):
    return lambda: XGBClassifier(n_estimators=trees, learning_rate=0.03, max_depth=depth, subsample=0.8,
                                 colsample_bytree=0.4, min_child_weight=8, reg_lambda=3, tree_method="hist",
                                 n_jobs=1, random_state=seed)


def forest():
    return ExtraTreesClassifier(300, min_samples_leaf=5, max_features=0.3, random_state=SEED)


class Filled:
    """Trees of scikit-learn's forests do not take gaps."""

    def __init__(self, model):
        self.model = model

    def fit(self, x, y):
        self.model.fit(np.nan_to_num(x, nan=-1), y)
        return self

    def predict_proba(self, x):
        return self.model.predict_proba(np.nan_to_num(x, nan=-1))


def single(prepare):
    def solve(public):
        fit_predict, rows, y, asked, test = prepare(public)
        return answer(test, fit_predict(rows, y, asked))

    return solve


def plain(model):
    def solve(public):
        both, y, test = both_of(public)
        x = numbers(both, y).fillna(-1).values
        return answer(test, model().fit(x[: len(y)], y).predict_proba(x[len(y):])[:, 1])

    return solve


def logistic_plain(public):
    both, y, test = both_of(public)
    x = OneHotEncoder(min_frequency=20, handle_unknown="ignore").fit_transform(
        both[["phase", "wildlife_size", "time_of_day", "state"]])
    model = LogisticRegression(max_iter=500).fit(x[: len(y)], y)
    return answer(test, model.predict_proba(x[len(y):])[:, 1])


def blended(public):
    prepared = [
        with_rates(public, xgb()),
        with_rates(public, xgb(SEED + 1, 700, 4)),
        with_rates(public, lambda: Filled(forest())),
        sparse(public, 0.3),
        with_rates(public, lambda: HistGradientBoostingClassifier(
            max_iter=150, learning_rate=0.05, max_leaf_nodes=12, l2_regularization=5, random_state=SEED)),
    ]
    parts = []
    for fit_predict, rows, y, asked, test in prepared:
        held, final = cross_predict(fit_predict, rows, y, asked, folds(len(y), 5, y))
        parts.append((rankdata(held) / len(held), rankdata(final) / len(final)))
    weights = blend_weights([held for held, _ in parts], lambda p: -roc_auc_score(y, p))
    return answer(test, blend([final for _, final in parts], weights))


RUNGS = [
    ("the rate of damage by size of the animal", "rule", by_size),
    ("logistic regression on four columns", "linear", logistic_plain),
    ("random forest on codes", "forest",
     plain(lambda: RandomForestClassifier(300, min_samples_leaf=3, random_state=SEED))),
    ("logistic regression on words and pairs", "linear", single(lambda public: sparse(public, 0.3))),
    ("boosting of scikit-learn on codes", "boosting",
     plain(lambda: HistGradientBoostingClassifier(max_iter=150, learning_rate=0.05, random_state=SEED))),
    ("extra trees with rates by group", "forest",
     single(lambda public: with_rates(public, lambda: Filled(forest())))),
    ("xgboost with rates by group", "boosting", single(lambda public: with_rates(public, xgb()))),
    ("blend of two xgboost, boosting, extra trees and logistic regression", "ensemble", blended),
]
