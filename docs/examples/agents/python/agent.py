"""A first agent: no packages, one constant for each target column. Replace `predict` by something better."""

import csv
import os
import statistics
import sys
import urllib.request
from collections import Counter
from pathlib import Path

DATA = Path(os.environ["DATA_DIR"])
SUBMISSION = Path(os.environ["SUBMISSION_DIR"]) / "submission.csv"


def read(file: Path) -> list[dict]:
    with open(file, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def predict(values: list[str]) -> str:
    """The mean of numbers, otherwise the most common value."""
    try:
        return str(statistics.fmean(float(value) for value in values))
    except ValueError:
        return Counter(values).most_common(1)[0][0]


def validate(file: Path) -> str:
    """Asks the harness whether the file is well-formed; it never tells a score."""
    mark = "mlebench-agent"
    body = (
        f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="submission.csv"\r\n\r\n'.encode()
        + file.read_bytes()
        + f"\r\n--{mark}--\r\n".encode()
    )
    headers = {"Content-Type": f"multipart/form-data; boundary={mark}"}
    request = urllib.request.Request(os.environ["MLEBENCH_VALIDATE_URL"], body, headers)
    with urllib.request.urlopen(request, timeout=60) as reply:
        return reply.read().decode()


def main() -> int:
    samples = sorted(DATA.glob("*ample*ubmission*.csv"))
    if not samples:
        print(f"there is no sample submission in {DATA}", file=sys.stderr)
        return 1
    sample = read(samples[0])
    train = read(DATA / "train.csv") if (DATA / "train.csv").exists() else []
    for column in list(sample[0])[1:]:
        known = [row[column] for row in train if row.get(column)]
        # A sample of numbers wants a number, whatever the training table holds.
        if known and is_number(predict(known)) == is_number(sample[0][column]):
            guess = predict(known)
            for row in sample:
                row[column] = guess
    with open(SUBMISSION, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(sample[0]))
        writer.writeheader()
        writer.writerows(sample)
    print(validate(SUBMISSION))
    return 0


def is_number(text: str) -> bool:
    try:
        float(text)
        return True
    except ValueError:
        return False


sys.exit(main())
