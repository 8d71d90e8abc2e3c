#!/usr/bin/env bash
# Runs random operations on 50 releases by two servers under random faults, and proves from the API server's audit log
# and the records what came of them. Prints its seed first; the report is printed, and kept in target/tmp.
#   MINUTES=10 SEED=7 HELM=3 testbed/torture.sh     10 minutes, a seed of its own, and helm 4 unless told
set -euo pipefail
# shellcheck source=testbed/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
unset KUBECONFIG
testbed/setup.sh rust kubernetes etcd kwok real-node helm3 helm4 charts
export SLIPWAY_TORTURE_MINUTES="${MINUTES:-10}"
export SLIPWAY_TORTURE_SEED="${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}"
export SLIPWAY_TORTURE_HELM="${HELM:-4}"
exec cargo test --locked -p server --test torture no_operation_is_lost -- --nocapture
