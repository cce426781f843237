"""Rungs of starter-cutouts: which pixels belong to a drawing, mean Dice."""
import numpy as np
from scipy import ndimage
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pictures import pixel_features, sampled, train_unet
from shared import SEED, read, read_gray, submission

SIZE = 64


def read_all(public):
    train, test = read(public, "train.csv"), read(public, "sample_submission.csv")
    masks = np.zeros((len(train), SIZE * SIZE), np.float32)
    for mask, runs in zip(masks, train["mask"]):
        numbers = np.array(runs.split(), int)
        for start, length in zip(numbers[::2], numbers[1::2]):
            mask[start - 1 : start - 1 + length] = 1
    x = read_gray(f"{public}/train", train["image_id"], SIZE)
    return x, masks.reshape(-1, SIZE, SIZE), read_gray(f"{public}/test", test["image_id"], SIZE), test


def runs_of(mask):
    flat = np.concatenate([[0], mask.reshape(-1).astype(int), [0]])
    edges = np.flatnonzero(np.diff(flat)) + 1
    return " ".join(f"{a} {b - a}" for a, b in zip(edges[::2], edges[1::2]))


def answer(test, masks):
    # An empty mask is worth nothing, and one pixel in the middle cannot be worth less.
    for mask in masks:
        if not mask.any():
            mask[SIZE // 2, SIZE // 2] = True
    return submission(test["image_id"], "image_id", mask=[runs_of(mask) for mask in masks])


def dice(masks, truth):
    return np.mean([2 * (m * t).sum() / max(1, m.sum() + t.sum()) for m, t in zip(masks, truth)])


def tidy(mask):
    """Holes are filled, specks are dropped."""
    mask = ndimage.binary_fill_holes(mask)
    parts, count = ndimage.label(mask)
    if count > 1:
        sizes = ndimage.sum(mask, parts, range(1, count + 1))
        mask = np.isin(parts, 1 + np.flatnonzero(sizes >= 0.1 * sizes.max()))
    return mask


def best_edge(scores, truth):
    edges = np.arange(0.2, 0.8, 0.05)
    return edges[int(np.argmax([dice([tidy(s > edge) for s in scores], truth) for edge in edges]))]


def middle(public):
    *_, asked, test = read_all(public)
    rows, columns = np.mgrid[0:SIZE, 0:SIZE] - SIZE / 2 + 0.5
    return answer(test, [np.hypot(rows, columns) < 21 for _ in asked])


def from_border(public):
    """What differs from the border of the picture by more than half of the greatest difference."""
    *_, asked, test = read_all(public)
    masks = []
    for picture in asked:
        smooth = ndimage.gaussian_filter(picture, 1.5)
        border = np.median(np.concatenate([smooth[:2].ravel(), smooth[-2:].ravel(), smooth[:, :2].ravel(), smooth[:, -2:].ravel()]))
        difference = np.abs(smooth - border)
        masks.append(tidy(difference > 0.5 * np.quantile(difference, 0.98)))
    return answer(test, masks)


def pixels(make, each):
    def solve(public):
        x, y, asked, test = read_all(public)
        model = make().fit(*sampled(x[30:], y[30:], each))
        score = lambda p: ndimage.gaussian_filter(model.predict_proba(pixel_features(p))[:, 1].reshape(SIZE, SIZE), 1)
        edge = best_edge([score(p) for p in x[:30]], y[:30])
        return answer(test, [tidy(score(p) > edge) for p in asked])

    return solve


def overlap_loss(torch, out, wanted, own):
    chance = torch.sigmoid(out)
    both = (chance * wanted).sum((1, 2, 3))
    dice_loss = 1 - (2 * both + 1) / (chance.sum((1, 2, 3)) + wanted.sum((1, 2, 3)) + 1)
    return torch.nn.functional.binary_cross_entropy_with_logits(out, wanted) + dice_loss.mean()


def shades(torch, own, wanted):
    """Other contrast, other brightness, now and then a negative."""
    gain = 0.7 + 0.6 * torch.rand(len(own), 1, 1, 1)
    shift = 0.2 * torch.rand(len(own), 1, 1, 1) - 0.1
    own = (own - 0.5) * gain + 0.5 + shift
    if float(torch.rand(1)) < 0.5:
        own = 1 - own
    return own, wanted


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def network(width, depth, epochs, augment=True, views=1, seeds=1):
    def solve(public):
        x, y, asked, test = read_all(public)
        total = 0
        for seed in range(seeds):
            predict = train_unet(x, y, overlap_loss, width, depth, epochs, augment=augment,
                                 adjust=shades if augment else None, seed=SEED + seed)
            total = total + predict(asked, views)
        return answer(test, [tidy(p > 0.5) for p in sigmoid(total / seeds)])

    return solve


RUNGS = [
    ("a disc in the middle", "constant", middle),
    ("what differs from the border", "rule", from_border),
    ("logistic regression on features of pixels", "linear",
     pixels(lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=100)), 60)),
    ("extra trees on features of pixels", "forest",
     pixels(lambda: ExtraTreesClassifier(40, min_samples_leaf=5, random_state=SEED), 100)),
    ("boosting on features of pixels", "boosting",
     pixels(lambda: HistGradientBoostingClassifier(max_iter=100, learning_rate=0.12, random_state=SEED), 150)),
    ("small U-Net, eight epochs", "network", network(6, 3, 8, augment=False)),
    ("boosting on features of more pixels", "boosting",
     pixels(lambda: HistGradientBoostingClassifier(max_iter=200, learning_rate=0.1, max_leaf_nodes=63, random_state=SEED), 300)),
    ("U-Net, pictures turned and shaded", "network", network(8, 4, 25, views=2)),
    ("wider U-Net, eight views", "network", network(12, 4, 70, views=8)),
]
