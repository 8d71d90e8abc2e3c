#!/usr/bin/env bash
# Measures the list of all releases with few and with many, on a running console and a running Slipway of the same cluster: time,
# bytes, and the most memory that each backend had meanwhile. lists.txt is what was seen.
#
#   docs/evidence/lists.sh API NAMESPACE FROM CONSOLE SLIPWAY [COUNT…]
#
#   API         an address of the Kubernetes API that asks for no credential: what `kubectl proxy` prints
#   NAMESPACE   an existing namespace, which is filled with COUNT releases (25, 1000 and 5000), copies of FROM (seed.py)
#   FROM        NAMESPACE/RELEASE, a release that is there
#   CONSOLE, SLIPWAY   their addresses
#
#   CONSOLE_PID, SLIPWAY_PID   their processes, where they run on this machine (Linux): else no memory is shown
#   REVISIONS   how many revisions each release has (1)
#   BYTES       how large the notes of each are (as those of FROM)
#   COOKIE, INSECURE   as for console.sh
set -euo pipefail
# shellcheck source=docs/evidence/requests.sh
. "$(dirname "${BASH_SOURCE[0]}")/requests.sh"

if [ $# -lt 5 ]; then usage "$0"; fi
api="$1" namespace="$2" from="$3" console="${4%/}" slipway="${5%/}"
shift 5
counts=("$@")
if [ ${#counts[@]} -eq 0 ]; then counts=(25 1000 5000); fi

# memory PID: the most memory of a process since it was asked for last, in MiB.
memory() {
  if [ -z "$1" ] || [ ! -r "/proc/$1/status" ]; then echo "–" && return; fi
  sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$1/status" | awk '{ printf "%d MiB", $1 / 1024 }'
  if ! echo 5 >"/proc/$1/clear_refs"; then echo " (ever)"; fi
}

# measure WHO PID PATH: three times, for the first may find what the second does not.
measure() {
  local times=() codes="" run
  memory "$2" >/dev/null
  for run in 1 2 3; do
    LIMIT=300 ask GET "$3"
    times+=("$took s")
    codes="$code"
  done
  local all="${times[*]}"
  echo "| $count | $1 | $codes | ${all// s / s, } | $size | $(memory "$2") |"
}

lines=("| releases | list | answer | times | bytes | memory at most |" "| ---: | --- | --- | --- | ---: | ---: |")
for count in "${counts[@]}"; do
  lines+=("$(python3 "$(dirname "${BASH_SOURCE[0]}")/seed.py" "$api" "$namespace" "$from" "$count" "${REVISIONS:-1}" "${BYTES:-0}")")
  # What is new has to arrive in what watches it.
  address="$slipway"
  until ask GET "/api/v1/releases?namespace=$namespace" && [ "$(grep -o '"revision":' "$work/body" | wc -l)" -ge "$count" ]; do
    sleep 1
  done
  address="$console"
  lines+=("$(measure "console" "${CONSOLE_PID:-}" "/api/helm/releases?limitInfo=true")")
  address="$slipway"
  lines+=("$(measure "Slipway" "${SLIPWAY_PID:-}" "/api/v1/releases")")
done
for line in "${lines[@]}"; do
  case "$line" in "|"*) echo "$line" ;; *) notes+=("$line") ;; esac
done
echo
printf '%s\n' ${notes[@]+"${notes[@]}"}
