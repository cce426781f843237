"""Runs the reference rungs of the starter suite, one at a time; `npm run field -- --rungs` calls it.

    python3 run.py list <competition>
    python3 run.py solve <competition> <rung> <public folder> <submission.csv>

One thread and fixed seeds. The instruction set is fixed too: libraries that pick their kernels by the processor would
round differently on another one.
"""
import os

for name, value in {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_CORETYPE": "HASWELL",
    "ATEN_CPU_CAPABILITY": "avx2",
    "DNNL_MAX_CPU_ISA": "AVX2",
    "PYTHONHASHSEED": "0",
}.items():
    os.environ[name] = value

import importlib
import json
import sys
import time
import warnings

warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def main(arguments):
    command, competition = arguments[:2]
    rungs = importlib.import_module(competition.replace("starter-", "").replace("-", "_")).RUNGS
    if command == "list":
        json.dump([{"name": name, "family": family} for name, family, _ in rungs], sys.stdout)
        return
    name, public, output = arguments[2:]
    started = time.process_time()
    solve = next(function for own, _, function in rungs if own == name)
    solve(public).to_csv(output, index=False)
    json.dump({"seconds": round(time.process_time() - started, 1)}, sys.stdout)


main(sys.argv[1:])
