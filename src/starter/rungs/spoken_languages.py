"""Rungs of starter-spoken-languages: five languages over a bad line, macro F1."""
import numpy as np
from scipy.fft import dct
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from shared import SEED, read, submission, torch_seeded
from sounds import bands, clip

CLASSES = 5
RATE = 6000


def clips(public):
    train, test = read(public, "train.csv"), read(public, "sample_submission.csv")
    return ([clip(f"{public}/train/{name}.wav") for name in train["clip_id"]], train["label"].values,
            [clip(f"{public}/test/{name}.wav") for name in test["clip_id"]], test)


def answer(test, labels):
    return submission(test["clip_id"], "clip_id", label=np.asarray(labels).astype(int))


def spectrum(samples):
    return bands(samples, count=32, size=160, step=60, rate=RATE)


def summary(samples):
    """Cepstrum without loudness: its mean, spread, change, and how coefficients move together."""
    cepstrum = dct(spectrum(samples), axis=0, norm="ortho")[:14]
    cepstrum[0] -= cepstrum[0].max()
    change = np.diff(cepstrum, axis=1)
    slow = cepstrum[:, 6:] - cepstrum[:, :-6]
    both = np.corrcoef(cepstrum)[np.triu_indices(14, 1)]
    quantiles = np.quantile(cepstrum, [0.1, 0.5, 0.9], axis=1).ravel()
    crossings = np.mean(np.diff(np.sign(samples)) != 0)
    return np.concatenate([cepstrum.mean(1), cepstrum.std(1), change.std(1), slow.std(1), both, quantiles, [crossings]])


def commonest(public):
    _, y, _, test = clips(public)
    return answer(test, np.full(len(test), np.bincount(y).argmax()))


def scaled(model):
    return make_pipeline(StandardScaler(), model)


def on_summary(make):
    def solve(public):
        x, y, asked, test = clips(public)
        model = make().fit(np.array([summary(s) for s in x]), y)
        return answer(test, model.predict(np.array([summary(s) for s in asked])))

    return solve


def again(samples, rng):
    """The clip over another line: other speed, dull or thin, an echo, more noise, cut anew."""
    speed = rng.uniform(0.85, 1.17)
    at = np.arange(0, len(samples) - 1, speed)
    own = np.interp(at, np.arange(len(samples)), samples)
    tilt = rng.uniform(-0.4, 0.4)
    own[1:] = own[1:] - tilt * own[:-1]
    delay = int(rng.uniform(0.01, 0.05) * RATE)
    own[delay:] += rng.uniform(0, 0.3) * own[:-delay]
    own = np.roll(own, rng.integers(-len(own) // 8, len(own) // 8))
    own = np.resize(own, len(samples)) if len(own) < len(samples) else own[: len(samples)]
    return (own + rng.uniform(0, 0.12) * np.abs(own).max() * rng.standard_normal(len(own))).astype(np.float32)


def network_on(torch, x, y, asked, epochs, seed, copies, width=16):
    from torch import nn

    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    block = lambda a, b: [nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU(), nn.MaxPool2d(2)]
    model = nn.Sequential(*block(1, width), *block(width, 2 * width), *block(2 * width, 4 * width),
                          nn.AdaptiveAvgPool2d((2, 2)), nn.Flatten(), nn.Dropout(0.5), nn.Linear(16 * width, CLASSES))
    even = lambda v: (v - v.mean((1, 2), keepdims=True)) / (v.std((1, 2), keepdims=True) + 0.1)
    image = lambda samples: torch.tensor(even(np.array([spectrum(s) for s in samples])), dtype=torch.float32)[:, None]
    seen = [image(x)] + [image([again(s, rng) for s in x]) for _ in range(copies)]
    b, t = image(asked), torch.tensor(y)
    optimiser = torch.optim.AdamW(model.parameters(), 3e-3, weight_decay=5e-2)
    loss = nn.CrossEntropyLoss(label_smoothing=0.1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, epochs * ((len(y) + 31) // 32))
    for epoch in range(epochs):
        model.train()
        a = seen[epoch % len(seen)]
        for rows in torch.randperm(len(y)).split(32):
            own = a[rows].clone()
            if copies:
                low, when = int(torch.randint(0, 28, (1,))), int(torch.randint(0, own.shape[3] - 10, (1,)))
                own[:, :, low : low + 4], own[:, :, :, when : when + 10] = 0, 0
            optimiser.zero_grad()
            loss(model(own), t[rows]).backward()
            optimiser.step()
            schedule.step()
    model.eval()
    with torch.no_grad():
        return torch.softmax(model(b), 1).numpy().astype(float)


def network(epochs, copies, seeds=1, width=16):
    def chances(x, y, asked):
        torch = torch_seeded()
        return sum(network_on(torch, x, y, asked, epochs, SEED + k, copies, width) for k in range(seeds)) / seeds

    return chances


def single(method):
    def solve(public):
        x, y, asked, test = clips(public)
        return answer(test, method(x, y, asked).argmax(1))

    return solve


def by_summary(make):
    view = lambda samples: np.array([summary(s) for s in samples])
    return lambda x, y, asked: make().fit(view(x), y).predict_proba(view(asked))


def blended(*methods):
    def solve(public):
        x, y, asked, test = clips(public)
        return answer(test, sum(method(x, y, asked) for method in methods).argmax(1))

    return solve


def machine():
    return scaled(SVC(C=5, gamma=0.004, probability=True, random_state=SEED))


RUNGS = [
    ("the commonest language", "constant", commonest),
    ("nearest clip by summary", "neighbours", on_summary(lambda: scaled(KNeighborsClassifier(1)))),
    ("random forest on summary", "forest", on_summary(lambda: RandomForestClassifier(300, random_state=SEED))),
    ("logistic regression on summary", "linear", on_summary(lambda: scaled(LogisticRegression(C=0.05, max_iter=1000)))),
    ("support vectors on summary", "kernel", on_summary(lambda: scaled(SVC(C=5, gamma=0.004)))),
    ("convolutional network on bands", "network", single(network(20, 0))),
    ("convolutional network, clips over other lines too", "network", single(network(60, 11, width=20))),
    ("blend of network, support vectors and extra trees", "ensemble",
     blended(network(60, 11, width=20), by_summary(machine),
             by_summary(lambda: ExtraTreesClassifier(400, min_samples_leaf=2, random_state=SEED)))),
]
