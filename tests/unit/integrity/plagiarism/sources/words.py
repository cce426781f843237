import re
from collections import Counter, defaultdict
import math
import csv
import sys

STOP = {"the", "a", "of", "and", "to", "in"}


def tokens(text):
    return [word for word in re.findall(r"[a-z']+", text.lower()) if word not in STOP]


class NaiveBayes:
    def __init__(self, smoothing=0.1):
        self.smoothing = smoothing
        self.words = defaultdict(Counter)
        self.classes = Counter()
        self.vocabulary = set()

    def fit(self, texts, labels):
        for text, label in zip(texts, labels):
            found = tokens(text)
            self.words[label].update(found)
            self.vocabulary.update(found)
            self.classes[label] += 1
        return self

    def scores(self, text):
        size = len(self.vocabulary)
        total = sum(self.classes.values())
        result = {}
        for label, count in self.classes.items():
            words = self.words[label]
            mass = sum(words.values()) + self.smoothing * size
            score = math.log(count / total)
            for word in tokens(text):
                score += math.log((words[word] + self.smoothing) / mass)
            result[label] = score
        return result

    def probabilities(self, text):
        scores = self.scores(text)
        top = max(scores.values())
        weights = {label: math.exp(score - top) for label, score in scores.items()}
        total = sum(weights.values())
        return {label: weight / total for label, weight in weights.items()}


def rows(path):
    with open(path, newline="", encoding="utf-8") as handle:
        yield from csv.DictReader(handle)


def main(train_path, test_path, out_path):
    train = list(rows(train_path))
    model = NaiveBayes().fit([row["text"] for row in train], [row["author"] for row in train])
    labels = sorted(model.classes)
    with open(out_path, "w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle)
        writer.writerow(["id"] + labels)
        for row in rows(test_path):
            chances = model.probabilities(row["text"])
            writer.writerow([row["id"]] + [f"{chances[label]:.6f}" for label in labels])


if __name__ == "__main__":
    main(*sys.argv[1:4])
