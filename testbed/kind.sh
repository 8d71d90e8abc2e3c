#!/usr/bin/env bash
# Runs Slipway against a kind cluster called slipway, which it creates when there is none. Its kubeconfig is kept apart
# from yours.
set -euo pipefail
# shellcheck source=testbed/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

command -v kind >/dev/null || {
  echo "kind is not on PATH; see https://kind.sigs.k8s.io/docs/user/quick-start/#installation" >&2
  exit 1
}
export KUBECONFIG="$CACHE/kind.kubeconfig"
mkdir -p "$CACHE"
if kind get clusters 2>/dev/null | grep -qx slipway; then
  kind export kubeconfig --name slipway --kubeconfig "$KUBECONFIG"
else
  kind create cluster --name slipway --kubeconfig "$KUBECONFIG"
fi
exec "$ROOT/testbed/serve.sh" kind-slipway
