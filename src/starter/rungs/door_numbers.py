"""Rungs of starter-door-numbers: two handwritten digits on a bad picture, accuracy of the whole number."""
import os

import numpy as np
from PIL import Image
from scipy import ndimage
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier

from shared import SEED, read, submission, torch_seeded

HEIGHT, WIDTH = 32, 48


def pictures(public):
    train, test = read(public, "train.csv"), read(public, "sample_submission.csv")
    return (load(f"{public}/train", train["image_id"]), train["label"].values,
            load(f"{public}/test", test["image_id"]), test)


def load(folder, names):
    result = np.zeros((len(names), HEIGHT, WIDTH), np.float32)
    for i, name in enumerate(names):
        with Image.open(os.path.join(folder, f"{name}.png")) as image:
            result[i] = np.asarray(image, np.float32) / 255
    return result


def answer(test, labels):
    return submission(test["image_id"], "image_id", label=np.asarray(labels).astype(int))


def ink(x):
    """Smoothed, against the wall, and turned so that digits are bright."""
    smooth = ndimage.gaussian_filter(x, (0, 0.7, 0.7))
    wall = ndimage.median_filter(smooth, (1, 15, 15))
    apart = smooth - wall
    far = (apart**3).sum((1, 2), keepdims=True)
    apart = apart * np.where(far < 0, -1, 1)
    return np.clip(apart / (apart.std((1, 2), keepdims=True) * 4 + 1e-3), -0.3, 1).astype(np.float32)


def halves(x):
    return x[:, :, :28], x[:, :, -28:]


def flat(x):
    return x.reshape(len(x), -1)


def edges(x):
    """Directions of edges in cells of 4 x 4 pixels, scaled by their surroundings."""
    down, across = np.gradient(ndimage.gaussian_filter(x, (0, 0.8, 0.8)), axis=(1, 2))
    strength, angle = np.hypot(down, across), np.arctan2(down, across) % np.pi
    bins = np.minimum((angle / np.pi * 9).astype(int), 8)
    cells = np.stack([(strength * (bins == b)).reshape(len(x), HEIGHT // 4, 4, 7, 4).sum((2, 4)) for b in range(9)], -1)
    blocks = np.concatenate([cells[:, :-1, :-1], cells[:, 1:, :-1], cells[:, :-1, 1:], cells[:, 1:, 1:]], -1)
    return (blocks / np.sqrt((blocks**2).sum(-1, keepdims=True) + 0.05)).reshape(len(x), -1).astype(np.float32)


def commonest(public):
    _, y, _, test = pictures(public)
    return answer(test, np.full(len(test), np.bincount(y).argmax()))


def nearest(public):
    x, y, asked, test = pictures(public)
    return answer(test, KNeighborsClassifier(1).fit(flat(x), y).predict(flat(asked)))


def digit_by_digit(view, make):
    def solve(public):
        x, y, asked, test = pictures(public)
        both = []
        for k, own in enumerate((y // 10, y % 10)):
            both.append(make().fit(view(x, k), own).predict(view(asked, k)))
        return answer(test, 10 * both[0] + both[1])

    return solve


def network(torch, width, heads):
    from torch import nn

    def block(a, b):
        return [nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU()]

    return nn.Sequential(
        *block(1, width), *block(width, width), nn.MaxPool2d(2),
        *block(width, 2 * width), *block(2 * width, 2 * width), nn.MaxPool2d(2),
        *block(2 * width, 4 * width), *block(4 * width, 4 * width), nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(0.4), nn.Linear(4 * width * 24, 128), nn.ReLU(), nn.Dropout(0.3), nn.Linear(128, heads))


def changed(torch, batch):
    """Moved, scaled and leaning, in other shades, now and then a negative, with more grain."""
    n = len(batch)
    near = lambda scale: scale * (2 * torch.rand(n) - 1)
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0], theta[:, 1, 1] = 1 + near(0.12), 1 + near(0.15)
    theta[:, 0, 1], theta[:, 1, 0] = near(0.12), near(0.15)
    theta[:, 0, 2], theta[:, 1, 2] = near(0.08), near(0.15)
    grid = torch.nn.functional.affine_grid(theta, batch.shape, align_corners=False)
    own = torch.nn.functional.grid_sample(batch, grid, padding_mode="border", align_corners=False)
    own = own * (1 + near(0.3))[:, None, None, None] + near(0.2)[:, None, None, None]
    turned = torch.where(torch.rand(n) < 0.5, -1.0, 1.0)[:, None, None, None]
    return own * turned + 0.15 * torch.rand(n, 1, 1, 1) * torch.randn(own.shape)


def convolutional(width, epochs, *, two_heads=True, augment=False, seeds=1):
    def solve(public):
        torch = torch_seeded()
        x, y, asked, test = pictures(public)
        even = lambda p: torch.tensor((p - p.mean((1, 2), keepdims=True)) / (p.std((1, 2), keepdims=True) + 0.05))[:, None]
        a, b, t = even(x), even(asked), torch.tensor(y)
        smoothed = 0.1 if augment else 0.0
        entropy = torch.nn.CrossEntropyLoss(label_smoothing=smoothed)
        total = 0
        for seed in range(seeds):
            torch.manual_seed(SEED + seed)
            model = network(torch, width, 20 if two_heads else 100)
            optimiser = torch.optim.AdamW(model.parameters(), 3e-3, weight_decay=1e-2)
            schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, epochs * ((len(a) + 63) // 64))
            for _ in range(epochs):
                model.train()
                for rows in torch.randperm(len(a)).split(64):
                    out = model(changed(torch, a[rows]) if augment else a[rows])
                    wanted = t[rows]
                    if two_heads:
                        tens = torch.div(wanted, 10, rounding_mode="floor")
                        loss = entropy(out[:, :10], tens) + entropy(out[:, 10:], wanted % 10)
                    else:
                        loss = entropy(out, wanted)
                    optimiser.zero_grad()
                    loss.backward()
                    optimiser.step()
                    schedule.step()
            model.eval()
            with torch.no_grad():
                for view in (b, -b) if augment else (b,):
                    out = torch.cat([model(part) for part in view.split(250)])
                    if two_heads:
                        out = torch.cat([out[:, :10].log_softmax(1), out[:, 10:].log_softmax(1)], 1)
                    total = total + out.numpy().astype(float)
        chosen = 10 * total[:, :10].argmax(1) + total[:, 10:].argmax(1) if two_heads else total.argmax(1)
        return answer(test, chosen)

    return solve


RUNGS = [
    ("the commonest number", "constant", commonest),
    ("nearest picture", "neighbours", nearest),
    ("ridge on edges, digit by digit", "linear",
     digit_by_digit(lambda x, k: edges(halves(x)[k]), lambda: RidgeClassifier(30.0))),
    ("logistic regression on ink, digit by digit", "linear",
     digit_by_digit(lambda x, k: flat(halves(ink(x))[k]), lambda: LogisticRegression(C=0.02, max_iter=100))),
    ("extra trees on ink, digit by digit", "forest",
     digit_by_digit(lambda x, k: flat(halves(ink(x))[k]), lambda: ExtraTreesClassifier(150, random_state=SEED))),
    ("convolutional network, a hundred classes", "network", convolutional(6, 4, two_heads=False)),
    ("convolutional network, two digits", "network", convolutional(6, 4)),
    ("wider convolutional network, two digits, pictures changed", "network", convolutional(10, 10, augment=True)),
]
