#!/usr/bin/env bash
# Measures how long a user waits for an answer, beside `helm install --wait` on the same embedded cluster.
set -euo pipefail
# shellcheck source=testbed/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
unset KUBECONFIG
testbed/setup.sh rust kubernetes etcd kwok helm3 helm4 charts
exec cargo bench --locked -p server "$@"
