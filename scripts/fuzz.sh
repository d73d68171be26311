#!/usr/bin/env bash
# fuzz.sh MINUTES [TARGET...]
# fuzz.sh --list
#
# Fuzzes everything that reads a file, the optimizer and the verdicts, or the targets named, for
# MINUTES in total, on all cores (QUARTZ_FUZZ_CORES limits their number). A target of targets.inc
# gives a reader inputs that libFuzzer changes to reach new code. The inputs that reached some are
# kept in .cache/fuzz/corpus for the next run. An experiment of experiments.inc draws circuits by a
# new seed each time, and compares the library with an independent simulator, in the release build.
# The exit status is 1 if there is a finding: a crash, a sanitizer report, an undocumented exception,
# a property that does not hold, an input that takes more than ten seconds or more than 2 GiB, a
# wrong result or verdict.
#
# --list prints the targets: name, dictionary, most bytes of an input, and what is run. Experiments
# have neither dictionary nor bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
}

# The lists are fuzz/targets.inc and fuzz/differential/experiments/experiments.inc.
list() {
  sed -nE 's/^QUARTZ_FUZZ_TARGET\((\w+), (\w+), ([0-9]+), "(.*)"\)$/\1\t\2\t\3\t\4/p' fuzz/targets.inc
  sed -nE 's/^QUARTZ_EXPERIMENT\((\w+), "(.*)"\)$/\1\t-\t-\t\2/p' \
    fuzz/differential/experiments/experiments.inc
}

# Prints the column of the row of a target.
row() {
  list | awk -F '\t' -v target="$1" -v column="$2" '$1 == target {print $column}'
}

is_experiment() {
  [[ $(row "$1" 2) == - ]]
}

# Runs one experiment in one process, for a number of seconds; its output is the log.
experiment() {
  local name=$1 worker=$2 seconds=$3 cache=.cache/fuzz
  mkdir -p "$cache/findings/$name" "$cache/logs"
  build/fuzz/quartz-differential "$name" --seconds "$seconds" --seed "$(date +%s)$worker" \
    --findings "$cache/findings/$name" --pairs "$cache/pairs" --every 50 \
    >"$cache/logs/$name.$worker" 2>&1 </dev/null
}

# Prints what the log of an experiment says, and fails if it has a finding.
report_experiment() {
  local name=$1 worker=$2 status=$3 log=.cache/fuzz/logs/$1.$2
  printf '%-12s ' "$name"
  if ((status == 0)); then
    sed -n "s/^$name: \([0-9]* runs of .*\)/\1/p" "$log"
    return
  fi
  echo "FINDING"
  grep -E -A 2 -m 3 '^run [0-9]+ of seed|ERROR|runtime error:' "$log" | sed 's/^/    /' || true
  echo "    log: $log; a crash leaves its case in .cache/fuzz/findings/$name/running"
  return 1
}

# Fuzzes one target in one process, for a number of seconds; its output is the log.
fuzz() {
  local target=$1 worker=$2 seconds=$3 cache=.cache/fuzz
  mkdir -p "$cache/corpus/$target" "$cache/findings/$target" "$cache/logs"
  # A leak is a finding, too: AddressSanitizer looks for leaks by default.
  "build-fuzz/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -max_len="$(row "$target" 3)" -dict="fuzz/dictionaries/$(row "$target" 2).dict" \
    -artifact_prefix="$cache/findings/$target/" -print_final_stats=1 \
    "$cache/corpus/$target" "$cache/seeds/$target" >"$cache/logs/$target.$worker" 2>&1 </dev/null
}

# Prints what the log of one process says, and fails if it has a finding.
report() {
  local target=$1 worker=$2 status=$3 log=.cache/fuzz/logs/$1.$2
  local executions rate coverage finding
  local reasons='^(==[0-9]+==\s*ERROR|finding:|SUMMARY:|  what\(\):|ALARM:|.*runtime error:)'
  executions=$(awk '/^stat::number_of_executed_units/ {print $2}' "$log")
  rate=$(awk '/^stat::average_exec_per_sec/ {print $2}' "$log")
  coverage=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | cut -d ' ' -f 2 || true)
  printf '%-12s %12s executions %8s a second  %6s edges  ' \
    "$target" "${executions:-?}" "${rate:-?}" "${coverage:-?}"
  if ((status == 0)); then
    echo "no finding"
    return
  fi
  finding=$(grep -oE '\.cache/fuzz/findings/\S+' "$log" | tail -n 1 || true)
  echo "FINDING"
  grep -E -m 3 "$reasons" "$log" | sed 's/^/    /' || true
  echo "    log: $log"
  if [[ -n $finding ]]; then
    echo "    again: build-fuzz/fuzz/quartz-fuzz $target $finding"
  fi
  return 1
}

# Runs and reports one process, a line of the list of processes: target, number, seconds.
work() {
  local status=0
  if is_experiment "$1"; then
    experiment "$@" || status=$?
    report_experiment "$1" "$2" "$status"
  else
    fuzz "$@" || status=$?
    report "$1" "$2" "$status"
  fi
}

case "${1:-}" in
  --list)
    list
    exit
    ;;
  --work) # one process, started below
    shift
    work "$@"
    exit
    ;;
esac
[[ ${1:-} =~ ^[0-9]+(\.[0-9]+)?$ ]] || usage
minutes=$1
shift
targets=("$@")
if ((${#targets[@]} == 0)); then
  mapfile -t targets < <(list | cut -f 1)
fi
for target in "${targets[@]}"; do
  if [[ -z $(row "$target" 1) ]]; then
    echo "$0: unknown target '$target', expected one of: $(list | cut -f 1 | paste -sd ' ')" >&2
    exit 2
  fi
done

readers=()
experiments=()
for target in "${targets[@]}"; do
  if is_experiment "$target"; then experiments+=("$target"); else readers+=("$target"); fi
done

if ((${#readers[@]} > 0)); then
  ./scripts/install_packages.sh clang
  ./scripts/build.sh fuzz fuzz/all
  rm -rf .cache/fuzz/seeds
  for target in "${readers[@]}"; do
    build-fuzz/fuzz/quartz-fuzz --seeds "$target" ".cache/fuzz/seeds/$target"
  done
fi
if ((${#experiments[@]} > 0)); then
  ./scripts/install_packages.sh
  ./scripts/build.sh release quartz-differential
fi

# With more cores than targets, several processes share the corpus of a target.
cores=${QUARTZ_FUZZ_CORES:-$(nproc)}
workers=$((cores > ${#targets[@]} ? cores / ${#targets[@]} : 1))
processes=$((workers * ${#targets[@]}))
seconds=$(awk -v m="$minutes" -v c="$cores" -v p="$processes" \
  'BEGIN {s = int(m * 60 * (c < p ? c : p) / p); print (s < 1 ? 1 : s)}')
echo "${#targets[@]} targets, $processes processes, $seconds seconds each, $cores at a time"
for target in "${targets[@]}"; do
  for ((worker = 1; worker <= workers; ++worker)); do
    printf '%s %s %s\n' "$target" "$worker" "$seconds"
  done
done | xargs -P "$cores" -L 1 "$PWD/scripts/fuzz.sh" --work || {
  echo "there are findings: .cache/fuzz/findings"
  exit 1
}
