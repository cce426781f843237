"""Rungs of starter-pronunciation: letters to phonemes, edit distance."""
from collections import Counter, defaultdict

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from shared import SEED, submission, tables, torch_seeded

LETTERS = "abcdefghijklmnopqrstuvwxyz'-."


def words(public):
    train, test = tables(public)
    return train["word"].values, [row.split() for row in train["phonemes"]], test["word"].astype(str).values, test


def answer(test, spoken):
    return submission(test["word_id"], "word_id", phonemes=[" ".join(row) or "AH" for row in spoken])


def align(spelled, spoken, rounds=4):
    """To each letter none, one or two phonemes, by how likely a letter makes them: found by repeated best paths."""
    chance = defaultdict(lambda: 1e-4)
    for word, sounds in zip(spelled, spoken):
        for letter in word:
            for sound in sounds:
                chance[letter, (sound,)] += 1.0 / len(sounds)
            chance[letter, ()] += 0.3
    result = None
    for _ in range(rounds):
        total = Counter()
        for (letter, _), value in chance.items():
            total[letter] += value
        cost = {key: -np.log(value / total[key[0]]) for key, value in chance.items()}
        counts = defaultdict(lambda: 1e-4)
        result = []
        for word, sounds in zip(spelled, spoken):
            path = best_path(word, sounds, cost)
            result.append(path)
            for letter, chunk in zip(word, path):
                counts[letter, chunk] += 1
        chance = counts
    return result


def best_path(word, sounds, cost):
    n, m = len(word), len(sounds)
    far = float("inf")
    best, steps = [0.0] + [far] * m, []
    for letter in word:
        following, step = [far] * (m + 1), [0] * (m + 1)
        for j, reached in enumerate(best):
            if reached == far:
                continue
            for size in range(min(4 if n < m else 3, m - j + 1)):
                value = reached + cost.get((letter, tuple(sounds[j : j + size])), 9 + 3 * size)
                if value < following[j + size]:
                    following[j + size], step[j + size] = value, size
        best = following
        steps.append(step)
    if best[m] == far:
        return [tuple(sounds)] + [()] * (n - 1)
    path, j = [], m
    for step in reversed(steps):
        path.append(tuple(sounds[j - step[j] : j]))
        j -= step[j]
    return path[::-1]


def windows(word, reach):
    padded = "." * reach + word + "." * reach
    return [[LETTERS.find(c) for c in padded[i : i + 2 * reach + 1]] for i in range(len(word))]


def coded(rows):
    """Letters as numbers, vowels first: an edge between numbers then parts letters that sound alike."""
    order = {LETTERS.index(c): k for k, c in enumerate("aeiouywhrlnmjgkqcxszvfbpdt'-.")}
    return np.vectorize(lambda k: order.get(k, len(order)))(rows)


def letter_by_letter(public):
    x, y, asked, test = words(public)
    counts = defaultdict(Counter)
    for word, path in zip(x, align(x, y)):
        for letter, chunk in zip(word, path):
            counts[letter][chunk] += 1
    return answer(test, [[s for letter in word for s in counts[letter].most_common(1)[0][0]] if all(l in counts for l in word) else ["AH"] for word in asked])


def backing_off(public):
    """The longest context of the letter that was seen, to both sides."""
    x, y, asked, test = words(public)
    shapes = [(4, 4), (3, 4), (3, 3), (2, 3), (2, 2), (1, 2), (1, 1), (0, 1), (0, 0)]
    counts = [defaultdict(Counter) for _ in shapes]
    for word, path in zip(x, align(x, y)):
        padded = "...." + word + "...."
        for i, chunk in enumerate(path):
            for own, (a, b) in zip(counts, shapes):
                own[padded[i + 4 - a : i + 5 + b], a][chunk] += 1
    spoken = []
    for word in asked:
        padded, sounds = "...." + word + "....", []
        for i in range(len(word)):
            for own, (a, b) in zip(counts, shapes):
                found = own.get((padded[i + 4 - a : i + 5 + b], a))
                if found:
                    sounds += found.most_common(1)[0][0]
                    break
        spoken.append(sounds)
    return answer(test, spoken)


def classified(make, reach):
    """Each letter in its window is one row, what it makes is the class."""

    def solve(public):
        x, y, asked, test = words(public)
        rows, chunks = [], []
        for word, path in zip(x, align(x, y)):
            rows += windows(word, reach)
            chunks += [" ".join(chunk) for chunk in path]
        frequent = {c for c, k in Counter(chunks).items() if k >= 5}
        keep = [i for i, c in enumerate(chunks) if c in frequent]
        rows, chunks = np.array(rows)[keep], np.array(chunks)[keep]
        model = make().fit(coded(rows), chunks)
        asked_rows = np.array([row for word in asked for row in windows(word, reach)])
        said = iter(model.predict(coded(asked_rows)))
        return answer(test, [[s for _ in word for s in next(said).split()] for word in asked])

    return solve


class Recurrent:
    """Letters through a bidirectional LSTM, three outputs for each letter, connectionist temporal classification."""

    def __init__(self, torch, hidden, layers, epochs, seed):
        self.torch, self.hidden, self.layers, self.epochs, self.seed = torch, hidden, layers, epochs, seed

    def model(self, outputs):
        torch, nn = self.torch, self.torch.nn
        hidden, layers = self.hidden, self.layers

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.embed = nn.Embedding(len(LETTERS) + 1, 64)
                self.lstm = nn.LSTM(64, hidden, layers, bidirectional=True, dropout=0.3 if layers > 1 else 0, batch_first=True)
                self.drop = nn.Dropout(0.3)
                self.out = nn.Linear(2 * hidden, 3 * outputs)

            def forward(self, x, lengths):
                packed = nn.utils.rnn.pack_padded_sequence(self.embed(x), lengths, batch_first=True, enforce_sorted=False)
                hidden_states, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
                scores = self.out(self.drop(hidden_states))
                return scores.reshape(len(x), -1, outputs).log_softmax(-1)

        return Net()

    def fit(self, spelled, spoken):
        torch = self.torch
        torch.manual_seed(self.seed)
        self.sounds = ["", *sorted({s for row in spoken for s in row})]
        place = {s: i for i, s in enumerate(self.sounds)}
        self.net = self.model(len(self.sounds))
        optimiser = torch.optim.AdamW(self.net.parameters(), 4e-3, weight_decay=1e-3)
        batches = (len(spelled) + 63) // 64
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, self.epochs * batches)
        targets = [torch.tensor([place[s] for s in row]) for row in spoken]
        for _ in range(self.epochs):
            self.net.train()
            for rows in torch.randperm(len(spelled)).split(64):
                own = [spelled[i] for i in rows.tolist()]
                x, lengths = self.encode(own)
                wanted = [targets[i] for i in rows.tolist()]
                loss = torch.nn.functional.ctc_loss(
                    self.net(x, lengths).transpose(0, 1), torch.cat(wanted), 3 * lengths,
                    torch.tensor([len(w) for w in wanted]), zero_infinity=True)
                optimiser.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
                optimiser.step()
                schedule.step()
        return self

    def encode(self, own):
        torch = self.torch
        lengths = torch.tensor([len(w) for w in own])
        x = torch.full((len(own), int(lengths.max())), len(LETTERS))
        for i, word in enumerate(own):
            x[i, : len(word)] = torch.tensor([LETTERS.find(c) % (len(LETTERS) + 1) for c in word])
        return x, lengths

    def chances(self, asked):
        """Logarithms of probabilities for each word, a row for each third of a letter."""
        self.net.eval()
        result = []
        with self.torch.no_grad():
            for start in range(0, len(asked), 256):
                own = list(asked[start : start + 256])
                x, lengths = self.encode(own)
                out = self.net(x, lengths).numpy()
                result += [out[i, : 3 * len(word)] for i, word in enumerate(own)]
        return result


def greedy(rows, sounds):
    best, spoken, last = rows.argmax(1), [], 0
    for k in best:
        if k != last and k != 0:
            spoken.append(sounds[k])
        last = k
    return spoken


def beam(rows, sounds, width=8):
    """The likeliest sequence over all ways to spread it over time, approximately."""
    beams = {(): (0.0, -np.inf)}
    for row in rows:
        near = np.argsort(-row)[:6]
        following = defaultdict(lambda: [-np.inf, -np.inf])
        for prefix, (blank, other) in beams.items():
            both = np.logaddexp(blank, other)
            for k in near:
                if k == 0:
                    own = following[prefix]
                    own[0] = np.logaddexp(own[0], both + row[0])
                elif prefix and prefix[-1] == k:
                    own = following[prefix]
                    own[1] = np.logaddexp(own[1], other + row[k])
                    own = following[prefix + (k,)]
                    own[1] = np.logaddexp(own[1], blank + row[k])
                else:
                    own = following[prefix + (k,)]
                    own[1] = np.logaddexp(own[1], both + row[k])
        best = sorted(following.items(), key=lambda item: -np.logaddexp(*item[1]))[:width]
        beams = {prefix: tuple(value) for prefix, value in best}
    return [sounds[k] for k in next(iter(beams))]


def recurrent(hidden, layers, epochs, seeds=1, search=False):
    def solve(public):
        x, y, asked, test = words(public)
        torch = torch_seeded()
        models = [Recurrent(torch, hidden, layers, epochs, SEED + k).fit(x, y) for k in range(seeds)]
        rows = [np.mean(parts, 0) for parts in zip(*[model.chances(asked) for model in models])]
        decode = beam if search else greedy
        return answer(test, [decode(row, models[0].sounds) for row in rows])

    return solve


RUNGS = [
    ("what each letter mostly makes", "rule", letter_by_letter),
    ("the longest context seen", "rule", backing_off),
    ("decision tree on windows", "tree", classified(lambda: DecisionTreeClassifier(random_state=SEED), 4)),
    ("extra trees on windows", "forest",
     classified(lambda: ExtraTreesClassifier(30, max_features=0.6, random_state=SEED), 4)),
    ("random forest on windows", "forest",
     classified(lambda: RandomForestClassifier(15, max_features=0.6, random_state=SEED), 4)),
    ("bidirectional LSTM, four epochs", "network", recurrent(48, 1, 4)),
    ("bidirectional LSTM of two layers, likeliest sequence", "network", recurrent(128, 2, 16, search=True)),
]
