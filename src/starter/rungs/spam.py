"""Rungs of starter-spam: short texts, log loss."""
import numpy as np
from scipy.sparse import csr_matrix, hstack
from scipy.special import expit, logit
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from xgboost import XGBClassifier

from shared import SEED, blend, blend_weights, folds, submission, tables


def texts(public):
    train, test = tables(public)
    return train["text"].fillna("").values, train["spam"].values, test["text"].fillna("").values, test


def answer(test, chance):
    return submission(test["mail_id"], "mail_id", spam=np.round(np.clip(chance, 0.0005, 0.9995), 6))


def share(public):
    _, y, _, test = texts(public)
    return answer(test, np.full(len(test), y.mean()))


def single(model):
    def solve(public):
        x, y, asked, test = texts(public)
        return answer(test, model().fit(x, y).predict_proba(asked)[:, 1])

    return solve


def words(**options):
    return TfidfVectorizer(sublinear_tf=True, **options)


def characters():
    return words(analyzer="char_wb", ngram_range=(2, 5), min_df=2)


def shape(all_texts):
    """What is not words: length, capitals, digits, marks, links, quotes of earlier mail."""
    rows = []
    for text in all_texts:
        size = max(1, len(text))
        rows.append([
            np.log(size), sum(c.isupper() for c in text) / size, sum(c.isdigit() for c in text) / size,
            text.count("!"), text.count("$"), text.count(">"), text.count("http"), text.count("wrote:"),
            text.count("%"), text.count("..."), text.count("_"), text.count("?"), text.count('"'),
            text.lower().count("you"), text.lower().count("free"), text.lower().count("click"),
            sum(ord(c) > 127 for c in text) / size, len(set(text.split())) / max(1, len(text.split())),
        ])
    return np.array(rows)


def logistic_of(*vectorisers, c=30.0, with_shape=False):
    def fit_predict(x, y, asked):
        both = list(x) + list(asked)
        parts = [v().fit(list(x)).transform(both) for v in vectorisers]
        if with_shape:
            own = shape(both)
            own = (own - own[: len(x)].mean(0)) / (own[: len(x)].std(0) + 1e-9)
            parts.append(csr_matrix(np.clip(own, -4, 4) * 0.2))
        matrix = csr_matrix(hstack(parts))
        model = LogisticRegression(C=c, solver="liblinear").fit(matrix[: len(x)], y)
        return model.predict_proba(matrix[len(x):])[:, 1]

    return fit_predict


def margins(x, y, asked):
    model = make_pipeline(characters(), LinearSVC(C=1.0, random_state=SEED)).fit(x, y)
    return expit(2.5 * model.decision_function(asked))


def weighted_words(x, y, asked):
    """Words weighted by the logarithm of how much likelier they are in spam, then a linear model."""
    counter = CountVectorizer(ngram_range=(1, 2), min_df=2, binary=True)
    seen, new = counter.fit_transform(x), counter.transform(asked)
    spam = np.asarray(seen[y == 1].sum(0)).ravel() + 0.5
    ham = np.asarray(seen[y == 0].sum(0)).ravel() + 0.5
    ratio = np.log((spam / spam.sum()) / (ham / ham.sum()))
    model = LogisticRegression(C=0.3, solver="liblinear").fit(seen.multiply(ratio).tocsr(), y)
    return model.predict_proba(new.multiply(ratio).tocsr())[:, 1]


def bayes(x, y, asked):
    model = make_pipeline(CountVectorizer(ngram_range=(1, 2), min_df=2, binary=True), MultinomialNB(alpha=0.1)).fit(x, y)
    return model.predict_proba(asked)[:, 1]


def trees(x, y, asked):
    vectoriser = words(min_df=5, max_features=3000)
    seen = hstack([vectoriser.fit_transform(x), csr_matrix(shape(x))]).tocsr()
    new = hstack([vectoriser.transform(asked), csr_matrix(shape(asked))]).tocsr()
    model = XGBClassifier(n_estimators=400, learning_rate=0.08, max_depth=5, subsample=0.8, colsample_bytree=0.3,
                          tree_method="hist", n_jobs=1, random_state=SEED).fit(seen, y)
    return model.predict_proba(new)[:, 1].astype(float)


FULL = logistic_of(lambda: words(ngram_range=(1, 2), min_df=2), characters, c=30.0, with_shape=True)


def direct(fit_predict):
    def solve(public):
        x, y, asked, test = texts(public)
        return answer(test, fit_predict(x, y, asked))

    return solve


def stacked(public):
    x, y, asked, test = texts(public)
    methods = [FULL, margins, weighted_words, bayes, trees,
               logistic_of(lambda: words(analyzer="char", ngram_range=(1, 4), min_df=2), c=60.0, with_shape=True)]
    held, final = [], []
    splits = folds(len(y), 5, y)
    for method in methods:
        own = np.zeros(len(y))
        for train, out in splits:
            own[out] = method(x[train], y[train], x[out])
        held.append(logit(np.clip(own, 0.001, 0.999)))
        final.append(logit(np.clip(method(x, y, asked), 0.001, 0.999)))
    weights = blend_weights(held, lambda p: log_loss(y, np.clip(expit(p), 1e-3, 1 - 1e-3)))
    calibrated = LogisticRegression(C=100).fit(blend(held, weights)[:, None], y)
    return answer(test, calibrated.predict_proba(blend(final, weights)[:, None])[:, 1])


RUNGS = [
    ("the share of spam", "constant", share),
    ("naive Bayes on counts of words", "naive Bayes", single(lambda: make_pipeline(CountVectorizer(), MultinomialNB()))),
    ("logistic regression on words", "linear", single(lambda: make_pipeline(words(), LogisticRegression(C=10)))),
    ("words weighted by likelihood, logistic regression", "linear", direct(weighted_words)),
    ("xgboost on words and shape", "boosting", direct(trees)),
    ("logistic regression on characters", "linear", direct(logistic_of(characters, c=30.0))),
    ("logistic regression on words, characters and shape", "linear", direct(FULL)),
    ("stack of six", "ensemble", stacked),
]
