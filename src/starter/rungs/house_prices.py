"""Rungs of starter-house-prices: logarithms of prices, RMSLE."""
import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesRegressor, GradientBoostingRegressor, RandomForestRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import RobustScaler, StandardScaler
from sklearn.svm import SVR
from xgboost import XGBRegressor

from shared import SEED, blend, blend_weights, cross_predict, folds, submission, tables

GRADES = {"Very_Poor": 1, "Poor": 2, "Fair": 3, "Below_Average": 4, "Average": 5, "Typical": 5, "Above_Average": 6,
          "Good": 7, "Very_Good": 8, "Excellent": 9, "Very_Excellent": 10}


def features(public):
    train, test = tables(public)
    both = pd.concat([train, test], ignore_index=True)
    y = np.log1p(train["sale_price"].values.astype(float))
    raw = both.drop(columns=["house_id", "sale_price"])
    number = raw.select_dtypes("number").copy()
    words = raw.select_dtypes("object").fillna("none")
    for column in words:
        graded = words[column].map(GRADES)
        if graded.notna().mean() > 0.5:
            number[f"{column}_grade"] = graded.fillna(0)
    area = number["gr_liv_area"] + number["total_bsmt_sf"]
    number["whole_area"] = area
    number["age"] = number["year_sold"] - number["year_built"]
    number["since_change"] = number["year_sold"] - number["year_remod_add"]
    number["baths"] = sum(number[c] * w for c, w in [("full_bath", 1), ("half_bath", 0.5), ("bsmt_full_bath", 1), ("bsmt_half_bath", 0.5)] if c in number)
    if "overall_cond_grade" in number:
        number["area_by_condition"] = area * number["overall_cond_grade"]
    number = number.fillna(number.median())
    # What houses nearby sold for, from the training rows alone and never from the house itself.
    n = len(train)
    near = pd.DataFrame({"near": nearby(number, y, n)})
    flat = number.copy()
    for column in flat:
        if flat[column].min() >= 0 and flat[column].skew() > 0.75:
            flat[column] = np.log1p(flat[column])
    dummies = pd.get_dummies(words).astype(float)
    dummies = dummies.loc[:, dummies.sum() >= 5]
    codes = words.apply(lambda column: column.astype("category").cat.codes)
    linear = pd.concat([flat, dummies, near], axis=1).values.astype(float)
    trees = pd.concat([number, codes, near], axis=1).values.astype(float)
    return linear, trees, y, n, test


def nearby(number, y, n, k=12):
    place = number[["longitude", "latitude"]].values
    value = y - np.log(number["gr_liv_area"].values[:n])
    found = np.zeros(len(place))
    for i, spot in enumerate(place):
        distance = ((place[:n] - spot) ** 2).sum(1)
        if i < n:
            distance[i] = np.inf
        closest = np.argpartition(distance, k)[:k]
        found[i] = value[closest].mean()
    return found + np.log(number["gr_liv_area"].values)


def answer(test, values):
    return submission(test["house_id"], "house_id", sale_price=np.round(np.expm1(values), 2))


def by_neighbourhood(public):
    train, test = tables(public)
    price = train["sale_price"] / train["gr_liv_area"]
    rate = price.groupby(train["neighborhood"]).median()
    return answer(test, np.log1p(test["neighborhood"].map(rate).fillna(price.median()) * test["gr_liv_area"]))


def four_columns(public):
    train, test = tables(public)
    columns = ["gr_liv_area", "total_bsmt_sf", "year_built", "garage_cars"]
    model = LinearRegression().fit(train[columns].fillna(0), np.log1p(train["sale_price"]))
    return answer(test, model.predict(test[columns].fillna(0)))


METHODS = {
    "ridge": ("linear", lambda: make_pipeline(StandardScaler(), Ridge(alpha=150))),
    "lasso": ("linear", lambda: make_pipeline(RobustScaler(), Lasso(alpha=0.0006, max_iter=5000, random_state=SEED))),
    "elastic": ("linear", lambda: make_pipeline(RobustScaler(), ElasticNet(alpha=0.0008, l1_ratio=0.6, max_iter=5000, random_state=SEED))),
    "kernel": ("linear", lambda: make_pipeline(StandardScaler(), KernelRidge(alpha=3.0, kernel="polynomial", degree=2, coef0=30, gamma=0.002))),
    "vectors": ("linear", lambda: make_pipeline(StandardScaler(), SVR(C=2.0, epsilon=0.02, gamma=0.0007))),
    "forest": ("trees", lambda: RandomForestRegressor(200, max_features=0.3, random_state=SEED)),
    "extra": ("trees", lambda: ExtraTreesRegressor(200, max_features=0.4, min_samples_leaf=2, random_state=SEED)),
    "boosting": ("trees", lambda: GradientBoostingRegressor(n_estimators=700, learning_rate=0.04, max_depth=4, max_features=0.15, subsample=0.7, min_samples_leaf=8, loss="huber", random_state=SEED)),
    "xgboost": ("trees", lambda: XGBRegressor(n_estimators=1200, learning_rate=0.02, max_depth=4, subsample=0.7, colsample_bytree=0.3, min_child_weight=3, n_jobs=1, random_state=SEED)),
}


def blended(*names):
    def solve(public):
        linear, trees, y, n, test = features(public)
        parts = []
        for name in names:
            which, make = METHODS[name]
            x = linear if which == "linear" else trees
            fit_predict = lambda a, b, asked, make=make: np.ravel(make().fit(a, b).predict(asked)).astype(float)
            if len(names) == 1:
                return answer(test, fit_predict(x[:n], y, x[n:]))
            parts.append(cross_predict(fit_predict, x[:n], y, x[n:], folds(n)))
        weights = blend_weights([held for held, _ in parts], lambda p: np.mean((p - y) ** 2))
        return answer(test, blend([final for _, final in parts], weights))

    return solve


RUNGS = [
    ("price of a square foot in the neighbourhood", "rule", by_neighbourhood),
    ("linear regression on four columns", "linear", four_columns),
    ("random forest", "forest", blended("forest")),
    ("ridge", "linear", blended("ridge")),
    ("lasso", "linear", blended("lasso")),
    ("support vectors", "kernel", blended("vectors")),
    ("xgboost", "boosting", blended("xgboost")),
    ("blend of linear, kernel, boosting and forests", "ensemble", blended(*METHODS)),
]
