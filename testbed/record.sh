#!/usr/bin/env bash
# Records the flows of the mock-ups: real runs on an embedded cluster (end2end/record), into public/mockups/recordings.
# FLOW: words of a flow's name, to record that one alone.
set -euo pipefail
# shellcheck source=testbed/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
unset KUBECONFIG
testbed/setup.sh
eval "$(testbed/setup.sh env)"
testbed/web.sh
cargo build --locked -p server
cargo build --locked -p testbed --examples
cd end2end
exec npx playwright test -c record/record.config.ts ${FLOW:+-g "$FLOW"}
