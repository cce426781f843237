"""Rungs of starter-garments: ten kinds of clothing, accuracy."""
import numpy as np
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from shared import SEED, read, read_gray, submission, torch_seeded


def pictures(public):
    train, test = read(public, "train.csv"), read(public, "sample_submission.csv")
    x = read_gray(f"{public}/train", train["image_id"], 28)
    return x, train["label"].values, read_gray(f"{public}/test", test["image_id"], 28), test


def answer(test, labels):
    return submission(test["image_id"], "image_id", label=np.asarray(labels).astype(int))


def edges(x):
    """Directions of edges in cells of 4 x 4 pixels, as histograms scaled by their surroundings."""
    down, across = np.gradient(x, axis=(1, 2))
    strength, angle = np.hypot(down, across), np.arctan2(down, across) % np.pi
    bins = np.minimum((angle / np.pi * 9).astype(int), 8)
    cells = np.zeros((len(x), 7, 7, 9), np.float32)
    for b in range(9):
        part = strength * (bins == b)
        cells[..., b] = part.reshape(len(x), 7, 4, 7, 4).sum((2, 4))
    blocks = np.concatenate([cells[:, :-1, :-1], cells[:, 1:, :-1], cells[:, :-1, 1:], cells[:, 1:, 1:]], -1)
    blocks /= np.sqrt((blocks**2).sum(-1, keepdims=True) + 0.1)
    return blocks.reshape(len(x), -1)


def flat(x):
    return x.reshape(len(x), -1)


def both(x):
    return np.hstack([flat(x) * 0.5, edges(x)])


def model_on(view, make):
    def solve(public):
        x, y, asked, test = pictures(public)
        return answer(test, make().fit(view(x), y).predict(view(asked)))

    return solve


def network(torch, width):
    from torch import nn

    def block(a, b):
        return [nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU()]

    return nn.Sequential(
        *block(1, width), *block(width, width), nn.MaxPool2d(2), nn.Dropout(0.2),
        *block(width, 2 * width), *block(2 * width, 2 * width), nn.MaxPool2d(2), nn.Dropout(0.3),
        *block(2 * width, 4 * width), nn.AdaptiveAvgPool2d(3), nn.Flatten(), nn.Dropout(0.4),
        nn.Linear(36 * width, 10))


def changed(torch, batch):
    """Shifted by up to two pixels, half of them mirrored, a small patch erased."""
    size = batch.shape[-1]
    padded = torch.nn.functional.pad(batch, (2, 2, 2, 2))
    result = torch.empty_like(batch)
    shifts = torch.randint(0, 5, (len(batch), 2))
    for i, (a, b) in enumerate(shifts.tolist()):
        result[i] = padded[i, :, a : a + size, b : b + size]
    mirrored = torch.rand(len(batch)) < 0.5
    result[mirrored] = result[mirrored].flip(-1)
    for i, (a, b) in enumerate(torch.randint(0, size - 7, (len(batch), 2)).tolist()):
        if i % 2:
            result[i, :, a : a + 7, b : b + 7] = 0
    return result


def convolutions(public, width, epochs, augment, seeds):
    torch = torch_seeded()
    x, y, asked, test = pictures(public)
    a, t, b = torch.tensor(x)[:, None], torch.tensor(y), torch.tensor(asked)[:, None]
    total = 0
    for seed in range(seeds):
        torch.manual_seed(SEED + seed)
        model = network(torch, width)
        optimiser = torch.optim.AdamW(model.parameters(), 3e-3, weight_decay=1e-2)
        batches = (len(a) + 63) // 64
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, epochs * batches)
        loss = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
        for _ in range(epochs):
            model.train()
            for rows in torch.randperm(len(a)).split(64):
                own = changed(torch, a[rows]) if augment else a[rows]
                optimiser.zero_grad()
                loss(model(own), t[rows]).backward()
                optimiser.step()
                schedule.step()
        model.eval()
        with torch.no_grad():
            for view in (b, b.flip(-1)):
                total = total + torch.softmax(model(view), 1).numpy()
    return total / (2 * seeds), test


def convolutional(width, epochs, augment, seeds=1):
    def solve(public):
        chances, test = convolutions(public, width, epochs, augment, seeds)
        return answer(test, chances.argmax(1))

    return solve


RUNGS = [
    ("nearest picture", "neighbours", model_on(flat, lambda: KNeighborsClassifier(1))),
    ("logistic regression on pixels", "linear", model_on(flat, lambda: LogisticRegression(C=0.05, max_iter=300))),
    ("extra trees on pixels", "forest", model_on(flat, lambda: ExtraTreesClassifier(200, random_state=SEED))),
    ("support vectors on pixels", "kernel", model_on(flat, lambda: SVC(C=5, gamma=0.01))),
    ("support vectors on pixels and edges", "kernel", model_on(both, lambda: SVC(C=5, gamma=0.01))),
    ("small convolutional network", "network", convolutional(8, 8, False)),
    ("convolutional network, pictures changed", "network", convolutional(12, 20, True)),
]
