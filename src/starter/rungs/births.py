"""Rungs of starter-births: each day of a year, mean absolute error."""
import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler
from xgboost import XGBRegressor

from shared import SEED, submission, tables


def days(public):
    train, test = tables(public)
    both = pd.concat([train, test], ignore_index=True)
    both["date"] = pd.to_datetime(both["date"])
    return both, len(train)


def answer(both, n, values):
    dates = both["date"][n:].dt.strftime("%Y-%m-%d").values
    return submission(dates, "date", births=np.round(values, 2))


def same_day_last_year(public):
    both, n = days(public)
    return answer(both, n, np.resize(both["births"].values[n - 364 : n], len(both) - n))


def grown(both, n, years=3):
    """The same weekday a year before, carried on by how the last year grew."""
    known = both["births"].values[:n].astype(float)
    asked = len(both) - n
    growth = known[n - 364 :].sum() / known[n - 728 : n - 364].sum()
    lags = [known[n - 364 * k :][:asked] * growth**k for k in range(1, years + 1)]
    lags = [np.resize(lag, asked) if len(lag) < asked else lag for lag in lags]
    return np.average(lags, axis=0, weights=[0.5, 0.3, 0.2][:years])


def carried(public):
    both, n = days(public)
    return answer(both, n, grown(both, n))


def holidays(date):
    """Days on which fewer children are born, and the days around them."""
    names = {}
    for year in range(date.dt.year.min(), date.dt.year.max() + 1):
        def nth(month, weekday, which):
            first = pd.Timestamp(year, month, 1)
            return first + pd.Timedelta(days=(weekday - first.dayofweek) % 7 + 7 * (which - 1))

        memorial = max(d for d in pd.date_range(f"{year}-05-01", f"{year}-05-31") if d.dayofweek == 0)
        for name, day in {
            "new year": pd.Timestamp(year, 1, 1), "valentine": pd.Timestamp(year, 2, 14),
            "leap": pd.Timestamp(year, 2, 28), "april": pd.Timestamp(year, 4, 1),
            "memorial": memorial, "independence": pd.Timestamp(year, 7, 4), "labor": nth(9, 0, 1),
            "halloween": pd.Timestamp(year, 10, 31), "thanksgiving": nth(11, 3, 4),
            "christmas": pd.Timestamp(year, 12, 25), "eve": pd.Timestamp(year, 12, 31),
        }.items():
            names[name] = names.get(name, []) + [day]
    columns = {}
    for name, own in names.items():
        own = pd.DatetimeIndex(own)
        near = range(-4, 6) if name in ("thanksgiving", "christmas", "new year", "labor", "memorial", "independence") else [0]
        for shift in near:
            columns[f"{name}{shift}"] = date.isin(own + pd.Timedelta(days=shift)).astype(float).values
    return pd.DataFrame(columns)


def design(both, pairs):
    date = both["date"]
    t = (date - date.iloc[0]).dt.days.values / 365.25
    week = np.eye(7)[date.dt.dayofweek.values]
    columns = [week, week * t[:, None]]
    for k in range(1, pairs + 1):
        angle = 2 * np.pi * k * t
        both_waves = np.stack([np.sin(angle), np.cos(angle)], 1)
        columns += [both_waves, both_waves * t[:, None]]
        if k <= 3:
            weekend = (date.dt.dayofweek.values >= 5).astype(float)[:, None]
            columns += [both_waves * weekend]
    columns.append(holidays(date).values)
    off = holidays(date)
    main = [c for c in off if c.endswith("0")]
    weekday = (date.dt.dayofweek.values < 5).astype(float)[:, None]
    columns += [off[main].values * weekday, off[main].values * t[:, None]]
    return np.hstack(columns), t


def level_of(log, n):
    """The mean logarithm of the 364 days up to each day: the trend without week and season."""
    return pd.Series(log[:n]).rolling(364, min_periods=180).mean().values


def next_level(log, n, damping):
    """Where the level will be in the middle of the year asked for: the growth of the last two years goes on, damped."""
    level = level_of(log, n)
    growth = 0.5 * (level[n - 1] - level[n - 729])
    return level[n - 1] + damping * growth


def regress(both, n, pairs=8, half_life=3.0, penalty=1.0, damping=0.7):
    """Logarithms less their level on week, season and holidays; later years count more."""
    x, t = design(both, pairs)
    log = np.log(both["births"].values.astype(float))
    # The level of a day is that of the year around it; in the last half year only what was known counts.
    level = pd.Series(log[:n]).rolling(365, center=True, min_periods=183).mean().values
    weight = 0.5 ** ((t[n - 1] - t[:n]) / half_life)
    scaled = StandardScaler().fit(x[:n]).transform(x)
    model = Ridge(alpha=penalty).fit(scaled[:n], log[:n] - level, sample_weight=weight)
    shape = model.predict(scaled[n:])
    return shape - shape.mean() + next_level(log, n, damping)


def best_damping(both, n, **options):
    """Chosen on the four years before the one asked for."""
    tried = np.arange(0, 1.6, 0.25)
    errors = np.zeros(len(tried))
    for year in range(1, 5):
        start = n - 365 * year
        truth = both["births"].values[start : start + 365].astype(float)
        for k, damping in enumerate(tried):
            said = np.exp(regress(both[: start + 365], start, damping=damping, **options))
            errors[k] += np.abs(said - truth).mean()
    return tried[int(errors.argmin())]


def regression(public):
    both, n = days(public)
    return answer(both, n, np.exp(regress(both, n)))


def plain_regression(public):
    both, n = days(public)
    return answer(both, n, np.exp(regress(both, n, 2, 50.0, 10.0, 1.0)))


def lag_features(both, n):
    """What is known a year ahead: the calendar, the same days of earlier years and what the regression says."""
    date = both["date"]
    value = both["births"].astype(float).copy()
    value[n:] = np.nan
    log = np.log(value)
    x = holidays(date)
    x["weekday"], x["day"] = date.dt.dayofweek, date.dt.dayofyear
    x["month"], x["dom"] = date.dt.month, date.dt.day
    for lag in (364, 728, 1092):
        x[f"lag{lag}"] = log.shift(lag) - log.shift(364).rolling(364).mean()
    x["lag_mean"] = x[["lag364", "lag728", "lag1092"]].mean(axis=1)
    # 364 days before the last day asked for lies the first one asked for: a day that is not known.
    return x.astype(float).ffill().fillna(0), log


def corrected(both, n, make, years=6):
    """Learns how the logarithm differs from the level of a year before, and adds the growth of the level."""
    x, log = lag_features(both, n)
    base = log.shift(364).rolling(364).mean().ffill()
    growth = 0.7 * log[:n].rolling(364).mean().diff(364).iloc[-1]
    target = log - base
    rows = np.arange(n - 365 * years, n)
    drift = pd.Series(target.values[rows]).groupby((np.arange(len(rows)) // 365)).transform("mean").values
    model = make().fit(x.values[rows], target.values[rows] - drift)
    return base.values[n:] + growth + model.predict(x.values[n:])


def xgb(seed=SEED):
    return XGBRegressor(n_estimators=500, learning_rate=0.03, max_depth=5, subsample=0.7, colsample_bytree=0.5,
                        objective="reg:squarederror", n_jobs=1, random_state=seed)


def learned(make):
    def solve(public):
        both, n = days(public)
        return answer(both, n, np.exp(corrected(both, n, make)))

    return solve


def together(public):
    """Regressions of several kinds and trees; memory, waves and damping are chosen on earlier years."""
    both, n = days(public)
    settings = [{"pairs": p, "half_life": h, "penalty": a} for p in (5, 8, 12) for h in (1.5, 3.0, 6.0) for a in (0.3, 3.0)]
    errors = np.zeros(len(settings))
    for year in (1, 2, 3):
        start = n - 365 * year
        truth = both["births"].values[start : start + 365].astype(float)
        for k, own in enumerate(settings):
            errors[k] += np.abs(np.exp(regress(both[: start + 365], start, **own)) - truth).mean()
    best = [settings[i] for i in np.argsort(errors)[:4]]
    damping = best_damping(both, n, **best[0])
    parts = np.mean([regress(both, n, damping=damping, **own) for own in best], 0)
    trees = np.mean([corrected(both, n, xgb), corrected(both, n, lambda: ExtraTreesRegressor(300, min_samples_leaf=2, random_state=SEED))], 0)
    # Only the shape of the year comes from the trees; the level is the regressions'.
    return answer(both, n, np.exp(0.7 * parts + 0.3 * (trees - trees.mean() + parts.mean())))


RUNGS = [
    ("the same weekday a year before", "rule", same_day_last_year),
    ("three earlier years carried on", "time series", carried),
    ("ridge on week and two waves", "linear", plain_regression),
    ("boosting of scikit-learn on lags and calendar", "boosting",
     learned(lambda: HistGradientBoostingRegressor(max_iter=300, learning_rate=0.05, random_state=SEED))),
    ("xgboost on lags and calendar", "boosting", learned(xgb)),
    ("ridge on trend, week, season and holidays", "linear", regression),
    ("regressions of several memories and trees", "ensemble", together),
]
