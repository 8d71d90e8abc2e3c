#!/usr/bin/env bash
# Runs Slipway against a kind cluster called slipway, which it creates when there is none. Its kubeconfig is kept apart
# from yours. With RUNNER=job, operations run in the cluster as Jobs: the image is made and loaded, and deploy/slipway.yaml is
# applied. The server that it deploys and the one here share the work.
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
if [ "${RUNNER:-process}" != job ]; then
  exec "$ROOT/testbed/serve.sh" kind-slipway
fi

command -v kubectl >/dev/null || {
  echo "kubectl is not on PATH; see https://kubernetes.io/docs/tasks/tools/" >&2
  exit 1
}
cd "$ROOT"
testbed/setup.sh rust wasm trunk wasm-bindgen wasm-split node helm4
testbed/web.sh
cargo build --locked -p server --no-default-features
deploy/image.sh runner "$CACHE/slipway.tar" "${CARGO_TARGET_DIR:-target}/debug/slipway" \
  "${HELM:-$TOOLS/helm4-$HELM4_VERSION/bin/helm}"
kind load image-archive "$CACHE/slipway.tar" --name slipway
kubectl apply --filename deploy/slipway.yaml
exec testbed/serve.sh kind-slipway --runner job --runner-image slipway:latest
