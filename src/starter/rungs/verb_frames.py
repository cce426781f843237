"""Rungs of starter-verb-frames: several labels from a definition, micro F1."""
import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import NearestNeighbors

from shared import SEED, blend, blend_weights, folds, submission, tables


def texts(public):
    train, test = tables(public)
    labels = sorted({label for row in train["frames"] for label in str(row).split()}, key=lambda s: int(s[1:]))
    place = {label: i for i, label in enumerate(labels)}
    y = np.zeros((len(train), len(labels)))
    for i, row in enumerate(train["frames"]):
        for label in str(row).split():
            y[i, place[label]] = 1
    return train.fillna(""), test.fillna(""), y, np.array(labels)


def answer(test, labels, chosen):
    return submission(test["verb_id"], "verb_id", frames=[" ".join(labels[row]) for row in chosen])


def f1(y, chosen):
    return 2 * (y * chosen).sum() / (y.sum() + chosen.sum())


def threshold(y, held):
    edges = np.arange(0.1, 0.7, 0.01)
    return edges[int(np.argmax([f1(y, held > edge) for edge in edges]))]


def decide(scores, edge):
    """Everything above the edge, the likeliest in any case."""
    chosen = scores > edge
    chosen[np.arange(len(scores)), scores.argmax(1)] = True
    return chosen


def vectors(train, test, kind):
    words = TfidfVectorizer(sublinear_tf=True, min_df=1, ngram_range=(1, 2), token_pattern=r"(?u)\b\w+\b|[;()]")
    parts = []
    if "definition" in kind:
        words.fit(train["definition"])
        parts.append((words.transform(train["definition"]), words.transform(test["definition"])))
    if "start" in kind:
        start = lambda frame: ["^" + "".join(text.split()[:1]) for text in frame["definition"]]
        first = TfidfVectorizer(token_pattern=r"\S+", min_df=2)
        parts.append((first.fit_transform(start(train)), first.transform(start(test))))
    if "verbs" in kind:
        names = TfidfVectorizer(token_pattern=r"[^;]+", min_df=1)
        pieces = TfidfVectorizer(token_pattern=r"\w+", min_df=1)
        ends = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), min_df=3, sublinear_tf=True)
        for part, weight in ((names, 0.7), (pieces, 1.0), (ends, 0.7)):
            parts.append((part.fit_transform(train["words"]) * weight, part.transform(test["words"]) * weight))
    return csr_matrix(hstack([a for a, _ in parts])), csr_matrix(hstack([b for _, b in parts]))


def logistic(kind, c):
    def scores(train, y, test):
        seen, new = vectors(train, test, kind)
        result = np.zeros((new.shape[0], y.shape[1]))
        for k in range(y.shape[1]):
            if y[:, k].sum() < 3:
                result[:, k] = y[:, k].mean()
                continue
            model = LogisticRegression(C=c, solver="liblinear").fit(seen, y[:, k])
            result[:, k] = model.predict_proba(new)[:, 1]
        return result

    return scores


def neighbours(train, y, test):
    seen, new = vectors(train, test, ("definition", "verbs"))
    found = NearestNeighbors(n_neighbors=25, metric="cosine", algorithm="brute").fit(seen)
    distance, which = found.kneighbors(new)
    weight = (1 - distance + 0.02) ** 2
    return (y[which] * weight[:, :, None]).sum(1) / weight.sum(1)[:, None]


def bayes(train, y, test):
    seen, new = vectors(train, test, ("definition", "verbs"))
    result = np.zeros((new.shape[0], y.shape[1]))
    for k in range(y.shape[1]):
        result[:, k] = MultinomialNB(alpha=0.3).fit(seen, y[:, k]).predict_proba(new)[:, 1] if y[:, k].any() else 0
    return result


def network(train, y, test):
    """Words embedded and averaged, all frames at once: rare frames learn from frequent ones."""
    from shared import torch_seeded

    torch = torch_seeded()
    seen, new = vectors(train, test, ("definition", "verbs", "start"))
    shrink = TruncatedSVD(150, random_state=SEED).fit(seen)
    a = torch.tensor(shrink.transform(seen), dtype=torch.float32)
    b = torch.tensor(shrink.transform(new), dtype=torch.float32)
    scale = a.std(0) + 1e-6
    a, b = a / scale, b / scale
    t = torch.tensor(y, dtype=torch.float32)
    total = 0
    for seed in range(2):
        torch.manual_seed(SEED + seed)
        model = torch.nn.Sequential(torch.nn.Dropout(0.3), torch.nn.Linear(150, 256), torch.nn.ReLU(),
                                    torch.nn.Dropout(0.5), torch.nn.Linear(256, y.shape[1]))
        optimiser = torch.optim.AdamW(model.parameters(), 2e-3, weight_decay=1e-2)
        loss = torch.nn.BCEWithLogitsLoss()
        for _ in range(10):
            for rows in torch.randperm(len(a)).split(128):
                optimiser.zero_grad()
                loss(model(a[rows]), t[rows]).backward()
                optimiser.step()
        model.eval()
        with torch.no_grad():
            total = total + torch.sigmoid(model(b)).numpy().astype(float)
    return total / 2


def commonest(public):
    train, test, y, labels = texts(public)
    return answer(test, labels, np.tile(y.mean(0) == y.mean(0).max(), (len(test), 1)))


def held_out(method, train, y):
    held = np.zeros(y.shape)
    for rows, out in folds(len(train), 2):
        held[out] = method(train.iloc[rows], y[rows], train.iloc[out])
    return held


def tuned(*methods):
    def solve(public):
        train, test, y, labels = texts(public)
        held = [held_out(method, train, y) for method in methods]
        final = [method(train, y, test) for method in methods]
        loss = lambda p: -max(f1(y, decide(p, edge)) for edge in np.arange(0.25, 0.45, 0.03))
        weights = blend_weights(held, loss, 12) if len(methods) > 1 else np.ones(1)
        edge = threshold(y, blend(held, weights))
        return answer(test, labels, decide(blend(final, weights), edge))

    return solve


def ridge(public):
    train, test, y, labels = texts(public)
    seen, new = vectors(train, test, ("definition",))
    return answer(test, labels, decide(RidgeClassifier(1.0).fit(seen, 2 * y - 1).decision_function(new), 0.0))


RUNGS = [
    ("the commonest frame", "constant", commonest),
    ("ridge on the definition", "linear", ridge),
    ("naive Bayes, edge chosen", "naive Bayes", tuned(bayes)),
    ("logistic regression on the definition, edge chosen", "linear", tuned(logistic(("definition",), 5.0))),
    ("neighbours of definition and verbs, edge chosen", "neighbours", tuned(neighbours)),
    ("logistic regression on definition and verbs, edge chosen", "linear", tuned(logistic(("definition", "verbs"), 5.0))),
    ("network on compressed words, edge chosen", "network", tuned(network)),
    ("logistic regression on definition, its beginning and verbs, edge chosen", "linear",
     tuned(logistic(("definition", "verbs", "start"), 3.0))),
    ("blend of logistic regression, neighbours and network, edge chosen", "ensemble",
     tuned(logistic(("definition", "verbs", "start"), 3.0), neighbours, network)),
]
