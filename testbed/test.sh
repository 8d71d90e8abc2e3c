#!/usr/bin/env bash
# Runs everything: format, lints, tests on the embedded cluster, the browser's build and its size, the browser tests.
# A suite that fails does not stop the next. The last line counts: N passed, N failed.
#   testbed/test.sh         all of it
#   testbed/test.sh lint    format and lints alone
# No errexit: each result is looked at, and counted.
set -uo pipefail
# shellcheck source=testbed/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT" || exit 1

# No test may read or change what is the user's.
unset KUBECONFIG
PASSED=0
FAILED=0
LOG="$(mktemp "${TMPDIR:-/tmp}/slipway-test.XXXXXX")"
trap 'rm -f "$LOG"' EXIT

count() {
  PASSED=$((PASSED + $1)) FAILED=$((FAILED + $2))
}

headline() {
  printf '\n==== %s\n' "$1"
}

# check NAME COMMAND…: a suite that is one test.
check() {
  local name="$1" began=$SECONDS
  shift
  headline "$name"
  if "$@"; then count 1 0 && echo "ok ($((SECONDS - began)) s)"; else count 0 1 && echo "FAILED: $name"; fi
}

# sum PATTERN: adds up the numbers in the log that a sed pattern's first group matches.
sum() {
  sed $'s/\033\\[[0-9;]*m//g' "$LOG" | sed -n "s/$1/\1/p" | awk '{ sum += $1 } END { print sum + 0 }'
}

# suite NAME PASSED_PATTERN FAILED_PATTERN COMMAND…: a suite that counts its own tests.
suite() {
  local name="$1" pass="$2" fail="$3" status passed failed
  shift 3
  headline "$name"
  "$@" 2>&1 | tee "$LOG"
  status=${PIPESTATUS[0]}
  passed="$(sum "$pass")" failed="$(sum "$fail")"
  # It did not compile, it crashed, or there was nothing to run.
  if [ "$failed" = 0 ] && { [ "$status" != 0 ] || [ "$passed" = 0 ]; }; then failed=1 && echo "FAILED: $name"; fi
  count "$passed" "$failed"
}

lints() {
  check "format" cargo fmt --all --check
  check "clippy, the browser's side" cargo clippy --locked -p app --features csr --all-targets -- -D warnings
  check "clippy, the server's side of it" cargo clippy --locked -p app --features ssr --all-targets -- -D warnings
  check "clippy, the server" cargo clippy --locked -p server --all-targets -- -D warnings
  check "clippy, the server without the demo" cargo clippy --locked -p server --no-default-features --lib --bins -- -D warnings
  check "clippy, the testbed" cargo clippy --locked -p testbed --all-targets -- -D warnings
}

browser_tests() {
  cd "$ROOT/end2end" && CI=1 npx playwright test --reporter=list,./gallery.ts
}

case "${1:-all}" in
  lint) testbed/setup.sh rust && lints ;;
  all)
    check "set-up" testbed/setup.sh
    if environment="$(testbed/setup.sh env)"; then eval "$environment"; fi
    # First, for the server holds the browser's side.
    check "the browser's build" testbed/web.sh
    lints
    check "the editor's own tests" npm test --silent --prefix style
    suite "Rust tests" '^test result: .* \([0-9]*\) passed;.*' '^test result: .* \([0-9]*\) failed;.*' \
      cargo test --locked --workspace --no-fail-fast
    check "the server's build" cargo build --locked -p server
    suite "browser tests" '^ *\([0-9]*\) passed.*' '^ *\([0-9]*\) failed.*' browser_tests
    ;;
  *) sed -n '2,/^#   testbed\/test.sh lint/s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac

printf '\n%d passed, %d failed\n' "$PASSED" "$FAILED"
[ "$FAILED" = 0 ] && [ "$PASSED" -gt 0 ]
