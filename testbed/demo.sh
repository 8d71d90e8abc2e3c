#!/usr/bin/env bash
# Sets everything up and runs Slipway on an embedded cluster, until Ctrl-C. PORT chooses the port.
set -euo pipefail
# shellcheck source=testbed/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
unset KUBECONFIG
testbed/setup.sh rust wasm trunk wasm-bindgen wasm-split node kubernetes etcd kwok helm3 helm4 charts
testbed/web.sh
cargo build --locked -p server
eval "$(testbed/setup.sh env)"
exec "${CARGO_TARGET_DIR:-target}/debug/slipway" demo --listen "127.0.0.1:${PORT:-8080}" "$@"
