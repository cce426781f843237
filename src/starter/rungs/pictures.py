"""What the rungs on whole pictures share: features of pixels, a U-Net, and its training."""
import numpy as np
from scipy import ndimage

from shared import SEED, torch_seeded


def pixel_features(picture):
    """Columns for every pixel: its shade, its surroundings at several scales, edges, and where it lies."""
    size = picture.shape[0]
    planes = [picture]
    for scale in (1, 2, 4, 8):
        planes.append(ndimage.gaussian_filter(picture, scale))
        mean = ndimage.uniform_filter(picture, 2 * scale + 1)
        square = ndimage.uniform_filter(picture**2, 2 * scale + 1)
        planes.append(np.sqrt(np.maximum(0, square - mean**2)))
    planes += [ndimage.median_filter(picture, 3), ndimage.median_filter(picture, 7)]
    planes += [ndimage.minimum_filter(picture, 3), ndimage.maximum_filter(picture, 3)]
    planes += [ndimage.gaussian_gradient_magnitude(picture, s) for s in (1, 2)]
    for shift in (-2, -1, 1, 2):
        planes += [np.roll(picture, shift, 0), np.roll(picture, shift, 1)]
    rows, columns = np.mgrid[0:size, 0:size] / (size - 1) - 0.5
    border = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    planes += [rows, columns, np.hypot(rows, columns)]
    planes += [np.abs(picture - np.median(border)), np.full_like(picture, picture.mean()), np.full_like(picture, picture.std())]
    return np.stack(planes, -1).reshape(size * size, -1).astype(np.float32)


def sampled(pictures, targets, each, seed=SEED):
    """Features and wanted values of some pixels of each picture."""
    rng = np.random.default_rng(seed)
    x, y = [], []
    for picture, target in zip(pictures, targets):
        rows = rng.choice(picture.size, each, replace=False)
        x.append(pixel_features(picture)[rows])
        y.append(target.reshape(-1)[rows])
    return np.concatenate(x), np.concatenate(y)


def unet(torch, width, depth):
    from torch import nn

    def block(a, b):
        return nn.Sequential(nn.Conv2d(a, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU(),
                             nn.Conv2d(b, b, 3, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU())

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            sizes = [width * min(2**k, 8) for k in range(depth + 1)]
            self.down = nn.ModuleList([block(1 if k == 0 else sizes[k - 1], sizes[k]) for k in range(depth + 1)])
            self.up = nn.ModuleList([block(sizes[k + 1] + sizes[k], sizes[k]) for k in reversed(range(depth))])
            self.last = nn.Conv2d(sizes[0], 1, 1)

        def forward(self, x):
            kept = []
            for k, step in enumerate(self.down):
                x = step(x if k == 0 else nn.functional.max_pool2d(x, 2))
                kept.append(x)
            for k, step in enumerate(self.up):
                wide = x.repeat_interleave(2, 2).repeat_interleave(2, 3)
                x = step(torch.cat([wide, kept[-2 - k]], 1))
            return self.last(x)

    return Net()


def turned(torch, x, how):
    if how & 1:
        x = x.flip(-1)
    if how & 2:
        x = x.flip(-2)
    if how & 4:
        x = x.transpose(-1, -2)
    return x


def turned_back(torch, x, how):
    if how & 4:
        x = x.transpose(-1, -2)
    if how & 2:
        x = x.flip(-2)
    if how & 1:
        x = x.flip(-1)
    return x


def train_unet(x, y, loss_of, width, depth, epochs, *, augment, adjust=None, rate=4e-3, seed=SEED, batch=16):
    """A trained network as a function from pictures to what it puts out, views of a picture averaged if `views` > 1."""
    torch = torch_seeded(seed)
    model = unet(torch, width, depth)
    a, t = torch.tensor(x)[:, None], torch.tensor(y.astype(np.float32))[:, None]
    optimiser = torch.optim.AdamW(model.parameters(), rate, weight_decay=1e-3)
    batches = (len(a) + batch - 1) // batch
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, epochs * batches)
    for _ in range(epochs):
        model.train()
        for rows in torch.randperm(len(a)).split(batch):
            own, wanted = a[rows], t[rows]
            if augment:
                how = int(torch.randint(0, 8, (1,)))
                own, wanted = turned(torch, own, how), turned(torch, wanted, how)
                if adjust:
                    own, wanted = adjust(torch, own, wanted)
            optimiser.zero_grad()
            loss_of(torch, model(own), wanted, own).backward()
            optimiser.step()
            schedule.step()
    model.eval()

    def predict(asked, views=1):
        with torch.no_grad():
            own = torch.tensor(asked)[:, None]
            total = 0
            for how in range(views):
                parts = [model(part) for part in turned(torch, own, how).split(32)]
                total = total + turned_back(torch, torch.cat(parts), how)
            return (total / views)[:, 0].numpy()

    return predict
