"""Rungs of starter-stained-drawings: a damaged drawing restored, RMSE."""
import os

import numpy as np
from scipy import ndimage
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pictures import pixel_features, sampled, train_unet
from shared import SEED, read, read_gray, submission

SIZE = 48


def read_all(public):
    names = sorted(name[:-4] for name in os.listdir(f"{public}/train"))
    ids = read(public, "sample_submission.csv")["id"].values
    asked = list(dict.fromkeys(own.rsplit("_", 2)[0] for own in ids))
    return (read_gray(f"{public}/train", names, SIZE), read_gray(f"{public}/train_cleaned", names, SIZE),
            read_gray(f"{public}/test", asked, SIZE), ids, asked)


def answer(ids, asked, restored):
    place = {name: i for i, name in enumerate(asked)}
    values = []
    for own in ids:
        name, row, column = own.rsplit("_", 2)
        values.append(restored[place[name]][int(row) - 1, int(column) - 1])
    return submission(ids, "id", value=np.round(255 * np.clip(values, 0, 1), 2))


def filtered(filter_of):
    def solve(public):
        _, _, pictures, ids, asked = read_all(public)
        return answer(ids, asked, [filter_of(p) for p in pictures])

    return solve


def stretched(picture):
    """The median of 3 x 3 pixels, with paper made white."""
    smooth = ndimage.median_filter(picture, 3)
    paper = ndimage.percentile_filter(smooth, 80, 17)
    return np.clip(smooth / np.maximum(paper, 0.2), 0, 1)


def pixels(make, each):
    def solve(public):
        x, y, pictures, ids, asked = read_all(public)
        model = make().fit(*sampled(x, y, each))
        return answer(ids, asked, [model.predict(pixel_features(p)).reshape(SIZE, SIZE) for p in pictures])

    return solve


def squared_loss(torch, out, wanted, own):
    """The network says what has to be added to the picture; most of a drawing is right already."""
    return ((own + out - wanted) ** 2).mean()


def network(width, depth, epochs, views=1):
    def solve(public):
        x, y, pictures, ids, asked = read_all(public)
        predict = train_unet(x, y, squared_loss, width, depth, epochs, augment=True, rate=3e-3, batch=8)
        return answer(ids, asked, pictures + predict(pictures, views))

    return solve


RUNGS = [
    ("as it is", "rule", filtered(lambda p: p)),
    ("median, paper made white", "filter", filtered(stretched)),
    ("ridge on features of pixels", "linear", pixels(lambda: make_pipeline(StandardScaler(), Ridge(10.0)), 300)),
    ("extra trees on features of pixels", "forest",
     pixels(lambda: ExtraTreesRegressor(30, min_samples_leaf=4, max_features=0.4, random_state=SEED), 120)),
    ("boosting on features of pixels", "boosting",
     pixels(lambda: HistGradientBoostingRegressor(max_iter=150, learning_rate=0.1, random_state=SEED), 300)),
    ("boosting on features of more pixels", "boosting",
     pixels(lambda: HistGradientBoostingRegressor(max_iter=300, learning_rate=0.08, max_leaf_nodes=63, random_state=SEED), 700)),
    ("U-Net, pictures turned", "network", network(8, 3, 40, views=2)),
]
