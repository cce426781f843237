import glob
import random

import torch
import torch.nn as nn
from PIL import Image
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    """Pictures from a folder, flipped now and then."""

    def __init__(self, files, labels=None, size=64, augment=False):
        self.files = files
        self.labels = labels
        self.size = size
        self.augment = augment

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        picture = Image.open(self.files[index]).convert("RGB").resize((self.size, self.size))
        tensor = torch.tensor(list(picture.getdata()), dtype=torch.float32)
        tensor = tensor.view(self.size, self.size, 3).permute(2, 0, 1) / 255
        if self.augment and random.random() < 0.5:
            tensor = tensor.flip(2)
        if self.labels is None:
            return tensor
        return tensor, self.labels[index]


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(64, 128, 3, padding=1), nn.BatchNorm2d(128), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
        )
        self.head = nn.Linear(128, classes)

    def forward(self, batch):
        return self.head(self.body(batch).flatten(1))


def train_epoch(net, loader, optimiser, loss_of):
    net.train()
    total = 0.0
    for batch, labels in loader:
        optimiser.zero_grad()
        loss = loss_of(net(batch), labels)
        loss.backward()
        optimiser.step()
        total += loss.item() * len(labels)
    return total / len(loader.dataset)


def evaluate(net, loader):
    net.eval()
    right = 0
    with torch.no_grad():
        for batch, labels in loader:
            right += (net(batch).argmax(1) == labels).sum().item()
    return right / len(loader.dataset)


def run(folder, labels, epochs=10):
    files = sorted(glob.glob(folder + "/*.png"))
    loader = DataLoader(Pictures(files, labels, augment=True), batch_size=32, shuffle=True)
    net = Net(len(set(labels)))
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-4)
    for epoch in range(epochs):
        loss = train_epoch(net, loader, optimiser, nn.CrossEntropyLoss())
        print(epoch, loss, evaluate(net, loader))
    return net
