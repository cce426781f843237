#!/usr/bin/env bash
# Tries everything of mlebench that touches a GPU, on a machine that has an NVIDIA one: which devices it finds, what an
# agent sees of them with and without isolation, what is measured, and that --show makes a Python of one's own visible.
# From the repository's root, after a build; a few minutes at most; leaves nothing but what it prints.
#
#   scripts/try-gpu.sh [path of node]      (default: the node that is on the PATH)
set -uo pipefail
node=${1:-node}
root=$(cd "$(dirname "$0")/.." && pwd)
main=$root/dist/cli/main.js
[ -e "$main" ] || { echo "build first: npm run build"; exit 2; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
export HOME=$work/home XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache; mkdir -p "$HOME"
failed=0
say() { printf '\n== %s\n' "$*"; }
good() { echo "ok    $*"; }
bad() { echo "WRONG $*"; failed=1; }
mlebench() { "$node" "$main" "$@"; }

say "the machine"
"$node" --version
nvidia-smi --query-gpu=index,uuid,name,memory.total,driver_version --format=csv,noheader || bad "nvidia-smi does not run"
nvidia-smi -L | sed -n '1,12p'
ls -l /dev/nvidia[0-9]* 2>&1
python=$(command -v python3 || true); echo "python: $python"
torch=$("$python" -c 'import torch; print(torch.__file__)' 2>/dev/null || true); echo "torch: ${torch:-none}"
kinds=process; command -v bwrap >/dev/null && kinds="process bubblewrap" || echo "bubblewrap is not here: only without isolation"

# The folder that holds torch and its Python, unless it is below /usr: what an agent in a sandbox does not see.
show=(); if [ -n "$torch" ]; then
  prefix=$("$python" -c 'import sys; print(sys.prefix)'); base=$("$python" -c 'import sys; print(sys.base_prefix)')
  for folder in "$prefix" "$base"; do case $folder in /usr|/usr/*) ;; *) show+=(--show "$folder") ;; esac; done
fi

say "a small competition and two agents"
mkdir -p "$work/data/spooky-author-identification"
cp -r "$root/tests/golden/vectors/prepare/spooky-author-identification/expected" "$work/data/spooky-author-identification/prepared"
agent() { mkdir -p "$work/agents/$1"; printf '{"%s":{"command":["sh","/home/agent/start.sh"]}}' "$1" > "$work/agents/$1/config.yaml"; cat > "$work/agents/$1/start.sh"; }
agent looks <<'A'
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
echo "hardware: $HARDWARE"; echo "visible: ${CUDA_VISIBLE_DEVICES-unset}"; ls /dev | grep -E '^nvidia' | tr '\n' ' '; echo
nvidia-smi --query-gpu=uuid,name --format=csv,noheader 2>&1
A
sed "s#@PYTHON@#$python#" > "$work/burn.sh" <<'A'
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
"@PYTHON@" - <<'P'
import time, torch
print("torch", torch.__version__, "devices", torch.cuda.device_count(), torch.cuda.get_device_name(0))
held = torch.zeros(4 * 2**30 // 4, device="cuda")
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
until = time.time() + 15
while time.time() < until:
    for _ in range(20): b = a @ a
    torch.cuda.synchronize()
print("burned", float(b.float().mean()), held.numel())
P
A
agent burns < "$work/burn.sh"

run() { # agent kind name options...
  local agent=$1 kind=$2 name=$3; shift 3
  mlebench run --agent "$agent" --agents-dir "$work/agents" --data-dir "$work/data" --runs-dir "$work/runs" --name "$name" \
    -c spooky-author-identification --sandbox "$kind" --time-limit 2m "$@" >"$work/$name.out" 2>&1
  local code=$?
  [ $code = 0 ] && good "$name: ran" || { bad "$name: exit code $code"; tail -8 "$work/$name.out"; }
  cat "$work/runs/$name"/*/stdout.log "$work/runs/$name"/*/stderr.log 2>/dev/null | tail -12
  mlebench verify "$work/runs/$name" >/dev/null 2>&1 && good "$name: verified" || bad "$name: not verified"
}
record() { "$node" -e 'const fs=require("fs"),p=require("path");const d=process.argv[1];for(const n of fs.readdirSync(d)){const f=p.join(d,n,"certificate.json");if(fs.existsSync(f)){const r=JSON.parse(fs.readFileSync(f)).record.content??JSON.parse(fs.readFileSync(f)).record;console.log(JSON.stringify({gpus:r.gpus,gpuUse:r.gpuUse,shown:r.shown,hardware:r.host?.hardware}))}}' "$1"; }

for kind in $kinds; do
  say "env check --gpus 1, $kind"
  mlebench env check --sandbox "$kind" --gpus 1 2>&1 | grep -E '^(sandbox|GPU|python|error)' || bad "env check"
  say "without a GPU, $kind"
  run looks "$kind" "none-$kind" --gpus 0
  grep -qE '^visible: (unset)?$' "$work/runs/none-$kind"/*/stdout.log && good "none-$kind: no device is named" || bad "none-$kind: a device is named"
  [ "$kind" = process ] || { grep -qE 'nvidia[0-9]' "$work/runs/none-$kind"/*/stdout.log && bad "none-$kind: a device is seen" || good "none-$kind: no device is seen"; }
  say "with one GPU, $kind"
  run looks "$kind" "one-$kind" --gpus 1
  uuid=$(nvidia-smi --query-gpu=uuid --format=csv,noheader | head -1)
  grep -q "visible: $uuid" "$work/runs/one-$kind"/*/stdout.log && good "one-$kind: CUDA is told its identifier" || bad "one-$kind: CUDA is told something else"
  if [ -n "$torch" ]; then
    say "a GPU that works, $kind"
    run burns "$kind" "burn-$kind" --gpus 1 ${show[@]+"${show[@]}"}
    grep -q '^burned' "$work/runs/burn-$kind"/*/stdout.log && good "burn-$kind: torch computed" || bad "burn-$kind: torch did not compute"
    record "$work/runs/burn-$kind" | tee "$work/record"
    "$node" -e 'const r=JSON.parse(require("fs").readFileSync(process.argv[1]));const u=r.gpuUse?.[0];process.exit(u&&u.peakMemoryBytes>4*2**30&&u.peakUtilisation>0.5&&u.driver&&u.memoryBytes>0?0:1)' "$work/record" \
      && good "burn-$kind: peak memory and utilisation are in the certificate" || bad "burn-$kind: not measured"
  fi
done

refused() { # code options...
  local code=$1; shift
  mlebench run --agent looks --agents-dir "$work/agents" --data-dir "$work/data" --runs-dir "$work/runs" \
    -c spooky-author-identification --sandbox process "$@" >"$work/refused.out" 2>&1
  grep -q "$code" "$work/refused.out" && good "$* is refused" || { bad "$* is not refused"; tail -3 "$work/refused.out"; }
}
say "what must be refused"
refused NOT_TO_BE_SHOWN --show "$work"
refused NOT_TO_BE_SHOWN --show "$root"
refused TOO_MUCH --gpus 99
missing=; [ -n "$torch" ] || missing="; torch is not here, so that no GPU worked and nothing was measured"
[ "$kinds" = process ] && missing="$missing; bubblewrap is not here, so that nothing was isolated"
[ $failed = 0 ] && printf '\neverything that was tried works%s\n' "$missing" || printf '\nsome things do not work\n'
exit $failed
