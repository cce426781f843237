"""Rungs of starter-sounds: eight kinds of sound, macro F1. Folds never split a recording."""
import wave

import numpy as np
from scipy.fft import dct
from scipy.signal import stft
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from xgboost import XGBClassifier

from shared import SEED, blend, blend_weights, folds, read, submission, torch_seeded

RATE = 11025


def clips(public):
    train, test = read(public, "train.csv"), read(public, "sample_submission.csv")
    return ([clip(f"{public}/train/{name}.wav") for name in train["clip_id"]], train["label"].values,
            train["recording"].values, [clip(f"{public}/test/{name}.wav") for name in test["clip_id"]], test)


def clip(path):
    with wave.open(path) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768
    return samples / (np.abs(samples).max() + 1e-6)


def bands(samples, count=40, size=256, step=96, rate=RATE):
    """Logarithms of energy in bands that are even on the mel scale: one row for each band."""
    _, _, z = stft(samples, rate, nperseg=size, noverlap=size - step, padded=True)
    power = np.abs(z) ** 2
    mel = lambda f: 2595 * np.log10(1 + f / 700)
    edges = 700 * (10 ** (np.linspace(mel(30), mel(rate / 2), count + 2) / 2595) - 1)
    centres = np.fft.rfftfreq(size, 1 / rate)
    up = (centres[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    down = (edges[2:, None] - centres[None]) / (edges[2:] - edges[1:-1])[:, None]
    weights = np.maximum(0, np.minimum(up, down))
    return np.log(weights @ power + 1e-7)


def summary(samples):
    """How the sound is made up and how it goes on: cepstrum, its change, the envelope, noise and pitch."""
    log = bands(samples)
    cepstrum = dct(log, axis=0, norm="ortho")[:16]
    change = np.diff(cepstrum, axis=1)
    energy = np.log(np.exp(log).sum(0))
    loud = np.argmax(energy)
    after = energy[loud:] - energy[loud]
    fall = [np.argmax(after < -k) / len(energy) if (after < -k).any() else 1 for k in (1, 2, 4, 6)]
    share = np.exp(log).sum(1)
    share = share / share.sum()
    crossings = np.mean(np.diff(np.sign(samples)) != 0)
    centre = (share * np.arange(len(share))).sum()
    flat = np.exp(log.mean()) / np.exp(log).mean()
    part = np.array_split(log, 4, axis=1)
    return np.concatenate([
        cepstrum.mean(1), cepstrum.std(1), change.std(1), cepstrum[:, loud], share, fall,
        [loud / len(energy), energy.std(), crossings, centre, flat], *[p.mean(1)[::4] - log.mean() for p in part],
    ])


def answer(test, labels):
    return submission(test["clip_id"], "clip_id", label=np.asarray(labels).astype(int))


def on_summary(make):
    def solve(public):
        x, y, _, asked, test = clips(public)
        model = make().fit(np.array([summary(s) for s in x]), y)
        return answer(test, model.predict(np.array([summary(s) for s in asked])))

    return solve


def commonest(public):
    _, y, _, _, test = clips(public)
    return answer(test, np.full(len(test), np.bincount(y).argmax()))


def scaled(model):
    return make_pipeline(StandardScaler(), model)


def evened(make):
    return lambda x, y, asked: make().fit(x, y).predict_proba(asked)


def network_on(torch, x, y, asked, epochs, seed):
    from torch import nn

    torch.manual_seed(seed)
    block = lambda a, b: [nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU(), nn.MaxPool2d(2)]
    model = nn.Sequential(*block(1, 16), *block(16, 32), *block(32, 48), nn.AdaptiveAvgPool2d((2, 1)), nn.Flatten(),
                          nn.Dropout(0.4), nn.Linear(96, 8))
    a, b = (torch.tensor(v, dtype=torch.float32)[:, None] for v in (x, asked))
    mean, deviation = a.mean(), a.std()
    a, b = (a - mean) / deviation, (b - mean) / deviation
    t = torch.tensor(y)
    optimiser = torch.optim.AdamW(model.parameters(), 3e-3, weight_decay=5e-2)
    weight = torch.tensor(len(y) / (8 * np.bincount(y, minlength=8)), dtype=torch.float32).sqrt()
    loss = nn.CrossEntropyLoss(weight=weight, label_smoothing=0.1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, epochs * ((len(a) + 31) // 32))
    for _ in range(epochs):
        model.train()
        for rows in torch.randperm(len(a)).split(32):
            own = a[rows].clone()
            # Moved in time and pitch; one band and one stretch of time left out.
            own = own.roll((int(torch.randint(-2, 3, (1,))), int(torch.randint(-6, 7, (1,)))), (2, 3))
            low, when = int(torch.randint(0, 34, (1,))), int(torch.randint(0, own.shape[3] - 8, (1,)))
            own[:, :, low : low + 6], own[:, :, :, when : when + 8] = 0, 0
            own = own + 0.3 * torch.randn(len(rows), 1, 1, 1)
            optimiser.zero_grad()
            loss(model(own), t[rows]).backward()
            optimiser.step()
            schedule.step()
    model.eval()
    with torch.no_grad():
        return torch.softmax(model(b), 1).numpy().astype(float)


def network(epochs, seeds):
    def solve(public):
        x, y, _, asked, test = clips(public)
        torch = torch_seeded()
        a, b = np.array([bands(s) for s in x]), np.array([bands(s) for s in asked])
        return answer(test, sum(network_on(torch, a, y, b, epochs, SEED + k) for k in range(seeds)).argmax(1))

    return solve


def blended(public):
    x, y, recording, asked, test = clips(public)
    torch = torch_seeded()
    flat, flat_asked = np.array([summary(s) for s in x]), np.array([summary(s) for s in asked])
    image, image_asked = np.array([bands(s) for s in x]), np.array([bands(s) for s in asked])
    methods = [
        (flat, flat_asked, evened(lambda: scaled(LogisticRegression(C=0.05, max_iter=1000, class_weight="balanced")))),
        (flat, flat_asked, evened(lambda: scaled(SVC(C=5, gamma=0.003, probability=True, class_weight="balanced", random_state=SEED)))),
        (flat, flat_asked, evened(lambda: ExtraTreesClassifier(400, min_samples_leaf=2, class_weight="balanced", random_state=SEED))),
        (image, image_asked, lambda a, t, b: network_on(torch, a, t, b, 25, SEED)),
    ]
    held, final = [], []
    for a, b, method in methods:
        own = np.zeros((len(y), 8))
        for train, out in folds(len(y), 5, groups=recording):
            part = method(a[train], y[train], a[out])
            own[np.ix_(out, np.unique(y[train]) if part.shape[1] < 8 else np.arange(8))] = part
        held.append(own)
        final.append(method(a, y, b))
    loss = lambda p: -np.log(np.clip(p[np.arange(len(y)), y], 1e-3, 1)).mean()
    return answer(test, blend(final, blend_weights(held, loss)).argmax(1))


RUNGS = [
    ("the commonest kind", "constant", commonest),
    ("nearest clip by summary", "neighbours", on_summary(lambda: scaled(KNeighborsClassifier(1)))),
    ("random forest on summary", "forest", on_summary(lambda: RandomForestClassifier(300, random_state=SEED))),
    ("xgboost on summary", "boosting",
     on_summary(lambda: XGBClassifier(n_estimators=120, max_depth=3, learning_rate=0.1, colsample_bytree=0.3, subsample=0.7, tree_method="hist", n_jobs=1, random_state=SEED))),
    ("logistic regression on summary", "linear",
     on_summary(lambda: scaled(LogisticRegression(C=0.05, max_iter=1000, class_weight="balanced")))),
    ("support vectors on summary", "kernel", on_summary(lambda: scaled(SVC(C=5, gamma=0.003, class_weight="balanced")))),
    ("three convolutional networks on bands", "network", network(30, 3)),
    ("blend chosen by recording", "ensemble", blended),
]
