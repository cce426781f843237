"""What several competitions' rungs share: reading, folds, blending, decisions."""
import os

import numpy as np
import pandas as pd

SEED = 20261118


def read(public, name):
    return pd.read_csv(os.path.join(public, name), keep_default_na=False, na_values=[""])


def tables(public):
    return read(public, "train.csv"), read(public, "test.csv")


def submission(ids, id_column, **columns):
    return pd.DataFrame({id_column: ids, **columns})


def folds(count, parts=5, labels=None, groups=None, seed=SEED):
    """Pairs of train and held-out rows."""
    from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

    rows = np.zeros(count)
    if groups is not None:
        return list(GroupKFold(parts).split(rows, labels, groups))
    if labels is not None:
        return list(StratifiedKFold(parts, shuffle=True, random_state=seed).split(rows, labels))
    return list(KFold(parts, shuffle=True, random_state=seed).split(rows))


def cross_predict(fit_predict, x, y, asked, splits):
    """Predictions for the training rows made without them, and for the rows asked for from all of them."""
    held = None
    for train, out in splits:
        part = fit_predict(x[train], y[train], x[out])
        if held is None:
            held = np.zeros((len(y), *part.shape[1:]))
        held[out] = part
    return held, fit_predict(x, y, asked)


def blend_weights(parts, loss, rounds=30):
    """Greedy weights of a blend, chosen on held-out predictions; some may be taken several times."""
    chosen, total = [], None
    for _ in range(rounds):
        tried = [loss((part if total is None else total + part) / (len(chosen) + 1)) for part in parts]
        best = int(np.argmin(tried))
        chosen.append(best)
        total = parts[best] if total is None else total + parts[best]
    return np.bincount(chosen, minlength=len(parts)) / len(chosen)


def blend(parts, weights):
    return sum(weight * part for weight, part in zip(weights, parts))


def read_gray(folder, names, size):
    from PIL import Image

    pictures = np.zeros((len(names), size, size), np.float32)
    for i, name in enumerate(names):
        with Image.open(os.path.join(folder, f"{name}.png")) as image:
            pictures[i] = np.asarray(image.convert("L"), np.float32) / 255
    return pictures


def torch_seeded(seed=SEED):
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    return torch
