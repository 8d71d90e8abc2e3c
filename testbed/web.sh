#!/usr/bin/env bash
# Builds the browser's side into dist/, unless nothing that it is made of has changed since the last time.
set -euo pipefail
# shellcheck source=testbed/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
state="$(hash_tree .cargo app style public index.html Trunk.toml Cargo.toml Cargo.lock testbed/web.sh testbed/bin)"
if [ -f dist/index.html ] && [ "$(cat target/web/state 2>/dev/null)" = "$state" ]; then
  echo "The browser's side has not changed."
  exit
fi

wasm_environment
rm -f target/web/state
# Under this environment, for it fetches what the standard library is made of, too. Later all is there, also offline.
cargo fetch --locked --target wasm32-unknown-unknown
trunk build --release --offline --locked --cargo-profile wasm-release
printf '%s\n' "$state" >target/web/state
