"""Rungs of starter-word-fields: forty fields of meaning from words and definition, macro F1."""
import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import ComplementNB
from sklearn.neighbors import NearestNeighbors
from sklearn.svm import LinearSVC

from shared import SEED, submission, tables, torch_seeded

CLASSES = 40


def texts(public):
    train, test = tables(public)
    return train.fillna(""), train["label"].values, test.fillna("")


def answer(test, labels):
    return submission(test["entry_id"], "entry_id", label=np.asarray(labels).astype(int))


def marked(frame):
    """The first words of a definition mostly name something more general: they get a mark of their own."""
    rows = []
    for words, definition in zip(frame["words"], frame["definition"]):
        tokens = definition.lower().split()
        begin = " ".join(f"{k}_{token}" for k, token in enumerate(tokens[:4]))
        ends = " ".join(f"end_{word.split()[-1][-n:]}" for word in words.split("; ") for n in (2, 3, 4) if word)
        rows.append(f"{begin} {ends} capital_{words[:1].isupper()} several_{';' in words}")
    return rows


def vectors(train, test, kind):
    parts = []

    def add(make, seen, asked, weight=1.0):
        parts.append((make.fit_transform(seen) * weight, make.transform(asked) * weight))

    add(TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2 if kind != "words" else 1), token_pattern=r"(?u)\b\w+\b"),
        train["definition"], test["definition"])
    if kind == "all":
        add(TfidfVectorizer(sublinear_tf=True, token_pattern=r"\w+"), train["words"], test["words"], 0.7)
        add(TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), min_df=2, sublinear_tf=True), train["words"], test["words"], 0.7)
        add(TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), min_df=3, sublinear_tf=True), train["definition"], test["definition"], 0.7)
        add(TfidfVectorizer(token_pattern=r"\S+", min_df=2), marked(train), marked(test), 0.8)
    return csr_matrix(hstack([a for a, _ in parts])), csr_matrix(hstack([b for _, b in parts]))


def bayes(train, y, test, kind="words"):
    seen, asked = vectors(train, test, kind)
    return ComplementNB(alpha=0.3).fit(seen, y).predict_proba(asked)


def logistic(kind, c, solver="liblinear"):
    def chances(train, y, test):
        seen, asked = vectors(train, test, kind)
        return LogisticRegression(C=c, solver=solver, multi_class="ovr", max_iter=200).fit(seen, y).predict_proba(asked)

    return chances


def vectors_machine(train, y, test):
    seen, asked = vectors(train, test, "all")
    margins = LinearSVC(C=0.3, random_state=SEED).fit(seen, y).decision_function(asked)
    raised = np.exp(3 * margins)
    return raised / raised.sum(1, keepdims=True)


def neighbours(train, y, test):
    seen, asked = vectors(train, test, "all")
    distance, which = NearestNeighbors(n_neighbors=20, metric="cosine", algorithm="brute").fit(seen).kneighbors(asked)
    weight = (1.02 - distance) ** 3
    result = np.zeros((asked.shape[0], CLASSES))
    for k in range(CLASSES):
        result[:, k] = ((y[which] == k) * weight).sum(1)
    return result / result.sum(1, keepdims=True)


def recurrent(epochs, seeds=1):
    """Words as learned vectors through a bidirectional LSTM, the largest value of each output over the text."""

    def chances(train, y, test):
        torch = torch_seeded()
        nn = torch.nn
        split = lambda frame: [(f"{d.lower()} | {w.lower()}").replace(";", " ; ").split()[:40] for w, d in zip(frame["words"], frame["definition"])]
        seen, asked = split(train), split(test)
        counts = {}
        for row in seen:
            for token in row:
                counts[token] = counts.get(token, 0) + 1
        place = {token: i + 2 for i, token in enumerate(sorted(t for t, k in counts.items() if k > 1))}
        pieces = lambda token: [hash_of(f"<{token}>"[i : i + n]) for n in (3, 4) for i in range(max(1, len(token) + 3 - n))][:12]
        buckets = 1 << 13

        def hash_of(text):
            value = 7
            for c in text.encode():
                value = (value * 31 + c) % 8191
            return value

        known = {}

        def coded(row):
            for token in row:
                if token not in known:
                    own = pieces(token)
                    known[token] = (place.get(token, 1), own + [buckets] * (12 - len(own)))
            return [known[t][0] for t in row], [known[t][1] for t in row]

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.words = nn.Embedding(len(place) + 2, 64, padding_idx=0)
                self.pieces = nn.Embedding(buckets + 1, 64, padding_idx=buckets)
                self.lstm = nn.LSTM(64, 96, bidirectional=True, batch_first=True)
                self.out = nn.Sequential(nn.Dropout(0.5), nn.Linear(384, CLASSES))
                self.drop = nn.Dropout(0.3)

            def forward(self, words, parts):
                x = self.drop(self.words(words) + self.pieces(parts).mean(2))
                states, _ = self.lstm(x)
                mask = (words > 0)[:, :, None]
                high = states.masked_fill(~mask, -1e4).max(1).values
                mean = (states * mask).sum(1) / mask.sum(1).clamp(min=1)
                return self.out(torch.cat([high, mean], 1))

        def batch(rows):
            size = max(len(r) for r in rows)
            words = torch.zeros(len(rows), size, dtype=torch.long)
            parts = torch.full((len(rows), size, 12), buckets)
            for i, row in enumerate(rows):
                own, own_parts = coded(row)
                words[i, : len(own)] = torch.tensor(own)
                parts[i, : len(own)] = torch.tensor(own_parts)
            return words, parts

        target = torch.tensor(y)
        total = 0
        for seed in range(seeds):
            torch.manual_seed(SEED + seed)
            model = Net()
            optimiser = torch.optim.AdamW(model.parameters(), 3e-3, weight_decay=1e-2)
            steps = epochs * ((len(seen) + 63) // 64)
            schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, steps)
            loss = nn.CrossEntropyLoss(label_smoothing=0.1)
            for _ in range(epochs):
                model.train()
                for rows in torch.randperm(len(seen)).split(64):
                    optimiser.zero_grad()
                    loss(model(*batch([seen[i] for i in rows.tolist()])), target[rows]).backward()
                    optimiser.step()
                    schedule.step()
            model.eval()
            with torch.no_grad():
                parts = [torch.softmax(model(*batch(asked[i : i + 256])), 1) for i in range(0, len(asked), 256)]
            total = total + torch.cat(parts).numpy().astype(float)
        return total / seeds

    return chances


def commonest(public):
    _, y, test = texts(public)
    return answer(test, np.full(len(test), np.bincount(y).argmax()))


def single(method):
    def solve(public):
        train, y, test = texts(public)
        return answer(test, method(train, y, test).argmax(1))

    return solve


def blended(*methods):
    def solve(public):
        train, y, test = texts(public)
        return answer(test, sum(method(train, y, test) for method in methods).argmax(1))

    return solve


RUNGS = [
    ("the commonest field", "constant", commonest),
    ("naive Bayes on words of the definition", "naive Bayes", single(bayes)),
    ("logistic regression on words of the definition", "linear", single(logistic("words", 5.0))),
    ("neighbours of definition and words", "neighbours", single(neighbours)),
    ("support vectors on words and parts of words", "linear", single(vectors_machine)),
    ("blend of support vectors, neighbours and naive Bayes", "ensemble",
     blended(vectors_machine, neighbours, lambda a, y, b: bayes(a, y, b, "all"))),
    ("bidirectional LSTM on words and parts of words", "network", single(recurrent(4))),
]
