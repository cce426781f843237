"""Rungs of starter-dependencies: what else a package needs, MAP@10."""
import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize
from xgboost import XGBClassifier

from shared import SEED, blend, submission, tables


def lists(public):
    train, test = tables(public)
    train, test = train.fillna(""), test.fillna("")
    names = sorted({need for row in [*train["needs"], *test["needs"]] for need in row.split()})
    place = {name: i for i, name in enumerate(names)}

    def matrix(frame):
        rows = [(i, place[need]) for i, row in enumerate(frame["needs"]) for need in row.split()]
        i, j = np.array(rows).T
        return csr_matrix((np.ones(len(rows)), (i, j)), (len(frame), len(names)))

    return train, test, matrix(train), matrix(test), np.array(names)


def texts_of(frame):
    return frame["name"].str.replace("-", " ", regex=False) + " section_" + frame["section"].str.replace("/", "_", regex=False)


def texts(train, asked):
    words = TfidfVectorizer(token_pattern=r"\S+", min_df=1, sublinear_tf=True).fit(texts_of(train))
    pieces = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 4), min_df=2, sublinear_tf=True).fit(train["name"])
    make = lambda frame: csr_matrix(hstack([words.transform(texts_of(frame)), 0.7 * pieces.transform(frame["name"])]))
    return make(train), make(asked)


def answer(test, names, scores, known):
    scores = scores - 1e9 * known.toarray()
    best = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    return submission(test["package_id"], "package_id", missing=[" ".join(names[row]) for row in best])


def popular(train, asked, x, known):
    return np.tile(np.asarray(x.sum(0)).ravel(), (len(asked), 1))


def by_section(train, asked, x, known):
    overall = np.asarray(x.mean(0)).ravel()
    result = np.zeros((len(asked), x.shape[1]))
    for section in asked["section"].unique():
        own = x[(train["section"] == section).values]
        result[(asked["section"] == section).values] = np.asarray(own.sum(0)).ravel() / (own.shape[0] + 5) + 0.1 * overall
    return result


def together(train, asked, x, known):
    """Cosine of how often two needs occur together, added up over what is known."""
    unit = normalize(x.T.tocsr())
    return (known @ (unit @ unit.T)).toarray()


def similar_packages(train, asked, x, known, count=60):
    weight = np.log(1 + x.shape[0] / (1 + np.asarray(x.sum(0)).ravel()))
    a, b = normalize(x.multiply(weight).tocsr()), normalize(known.multiply(weight).tocsr())
    ta, tb = texts(train, asked)
    near = (b @ a.T).toarray() + 0.6 * (normalize(tb) @ normalize(ta).T).toarray()
    cut = np.partition(near, -count, axis=1)[:, -count][:, None]
    near = np.where(near >= cut, near, 0) ** 2
    return csr_matrix(near) @ x.toarray() / (near.sum(1)[:, None] + 1e-9)


def factors(train, asked, x, known):
    model = TruncatedSVD(150, random_state=SEED).fit(normalize(x))
    return model.transform(normalize(known)) @ model.components_


def linear(train, asked, x, known, penalty=25.0, text=0.5):
    """Each need from all the others by ridge regression in closed form; name and section are further columns."""
    if text:
        ta, tb = texts(train, asked)
        side = TruncatedSVD(400, random_state=SEED).fit(ta)
        rich = np.hstack([x.toarray(), text * 3 * side.transform(ta)])
        seen = np.hstack([known.toarray(), text * 3 * side.transform(tb)])
    else:
        rich, seen = x.toarray(), known.toarray()
    inverse = np.linalg.inv(rich.T @ rich + penalty * np.eye(rich.shape[1]))
    weights = -inverse / np.diag(inverse)[None, :]
    np.fill_diagonal(weights, 0)
    return seen @ weights[:, : x.shape[1]]


def plain(score):
    def solve(public):
        train, test, x, known, names = lists(public)
        return answer(test, names, score(train, test, x, known), known)

    return solve


def ranks(scores, known):
    scores = scores - 1e9 * known.toarray()
    order = np.argsort(-scores, axis=1, kind="stable")
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(scores.shape[1])[None, :].repeat(len(scores), 0), 1)
    return place


METHODS = [linear, lambda *a: linear(*a, penalty=60.0, text=0), similar_packages, together, by_section, factors]


def hidden_third(x, rng):
    """Training lists with a third taken away, as in the test."""
    known = x.tolil(copy=True)
    hidden = []
    for i in range(x.shape[0]):
        own = x.indices[x.indptr[i] : x.indptr[i + 1]]
        count = max(1, round(len(own) / 3)) if len(own) > 1 else 0
        gone = rng.choice(own, count, replace=False)
        known[i, gone] = 0
        hidden.append(set(gone))
    return csr_matrix(known), hidden


def candidates(train, asked, x, known, popularity):
    """Pairs of package and need that some method puts first, with what all of them say about it."""
    scores = [method(train, asked, x, known) for method in METHODS]
    places = [ranks(score, known) for score in scores]
    near = np.min(places, 0) < 15
    i, j = np.nonzero(near)
    count = np.asarray(known.sum(1)).ravel()
    columns = [score[i, j] for score in scores] + [np.log1p(place[i, j]) for place in places]
    columns += [np.log1p(popularity[j]), count[i], blend([1 / (5.0 + p[i, j]) for p in places], [1] * len(places))]
    return i, j, np.stack(columns, 1)


def ranked(public):
    """Two stages: candidates of six methods, then trees that learned on training lists which of them are right."""
    train, test, x, known, names = lists(public)
    rng = np.random.default_rng(SEED)
    popularity = np.asarray(x.sum(0)).ravel()
    part = rng.permutation(len(train))
    features, labels = [], []
    for fold in range(2):
        out = np.sort(part[fold::2][:1500])
        rest = np.setdiff1d(np.arange(len(train)), out)
        less, hidden = hidden_third(x[out], rng)
        i, j, own = candidates(train.iloc[rest], train.iloc[out], x[rest], less, popularity)
        features.append(own)
        labels.append(np.array([need in hidden[row] for row, need in zip(i, j)], float))
    model = XGBClassifier(n_estimators=300, learning_rate=0.05, max_depth=5, subsample=0.8, colsample_bytree=0.7,
                          min_child_weight=5, tree_method="hist", n_jobs=1, random_state=SEED)
    model.fit(np.vstack(features), np.concatenate(labels))
    i, j, own = candidates(train, test, x, known, popularity)
    scores = np.full((len(test), x.shape[1]), -1.0)
    scores[i, j] = model.predict_proba(own)[:, 1]
    return answer(test, names, scores, known)


def averaged(public):
    train, test, x, known, names = lists(public)
    places = [ranks(method(train, test, x, known), known) for method in METHODS[:4]]
    return answer(test, names, sum(1.0 / (5 + place) for place in places), known)


RUNGS = [
    ("what most packages need", "constant", plain(popular)),
    ("what packages of the section need", "rule", plain(by_section)),
    ("factors of the matrix", "factors", plain(factors)),
    ("what occurs together", "co-occurrence", plain(together)),
    ("similar packages by needs and name", "neighbours", plain(similar_packages)),
    ("linear model of each need", "linear", plain(lambda *a: linear(*a, penalty=60.0, text=0))),
    ("linear model of each need with name and section", "linear", plain(linear)),
    ("four methods by rank", "ensemble", averaged),
    ("candidates of six methods, ranked by xgboost", "ensemble", ranked),
]
