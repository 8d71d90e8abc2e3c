#!/usr/bin/env bash
# Measures what carries an operation out, as a process and as a Job: what becomes of it when it is killed, stopped or evicted, and
# the memory that it takes when helm says a lot. runners.txt is what was seen.
#
#   docs/evidence/runners.sh
#
# Jobs need a node that runs containers: Linux, root and containerd. Elsewhere a line says so.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
eval "$(testbed/setup.sh env)"
export SLIPWAY_REAL_NODE=1
tests=(queue::with_both_helms a_helm_that_says_a_gigabyte a_pod_that_is_told_to_end a_runner_that_is_killed_in_its_pod)
cargo test --locked -p server --test integration -- --nocapture --test-threads 1 "${tests[@]}" |
  grep --line-buffered -oE '(measured|skipped): .*|^test result: .*'
