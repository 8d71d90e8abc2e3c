#!/usr/bin/env bash
# Runs Slipway against a cluster of yours, with your own rights there.
#   testbed/serve.sh CONTEXT [OPTION…]   a context of your kubeconfig, and more options of `slipway serve`
# PORT chooses the port, HELM the helm to use (by default the pinned helm 4).
set -euo pipefail
# shellcheck source=testbed/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [ -z "${1:-}" ]; then
  echo "Which cluster? Name a context of your kubeconfig: make serve CONTEXT=…" >&2
  exit 2
fi
context="$1"
shift
cd "$ROOT"
testbed/setup.sh rust wasm trunk wasm-bindgen wasm-split node helm4
testbed/web.sh
cargo build --locked -p server --no-default-features
exec "${CARGO_TARGET_DIR:-target}/debug/slipway" serve --listen "127.0.0.1:${PORT:-8080}" --context "$context" \
  --helm "${HELM:-$TOOLS/helm4-$HELM4_VERSION/bin/helm}" "$@"
