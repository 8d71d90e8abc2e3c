#!/usr/bin/env bash
# Makes the mock-ups: the product's own pages on recorded data, as a folder of files that any web server can offer, below any
# path.
#   testbed/mockups.sh          target/mockups
#   testbed/mockups.sh export   and from it docs/review: a picture of each screen, and all of them as a PDF (SCREENS=ID,… for
#                               the pictures of these alone)
set -euo pipefail
# shellcheck source=testbed/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$ROOT"
site="$ROOT/target/mockups"
if [ "${1:-}" = export ]; then testbed/setup.sh; else testbed/setup.sh wasm trunk wasm-bindgen wasm-split node; fi
eval "$(testbed/setup.sh env)"
testbed/web.sh

rm -rf "$site" && mkdir -p "$site"
cp -R dist/. "$site"
# What a server would have to know how to offer.
find "$site" -name '*.br' -delete
find "$site" -name '*.gz' ! -path '*/recordings/*' -delete
# The product's own page has no server here.
cat >"$site/index.html" <<'EOF'
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="refresh" content="0; url=mockups/index.html" />
    <title>Slipway’s mock-ups</title>
  </head>
  <body><p><a href="mockups/index.html">Slipway’s mock-ups</a></p></body>
</html>
EOF
if [ -d docs/review/pictures ]; then cp -R docs/review/pictures "$site/mockups/"; fi

if [ "${1:-}" = export ]; then
  cd end2end && exec npx playwright test -c record/export.config.ts
fi
echo "The mock-ups are in $site. To look at them:"
echo "  python3 -m http.server --bind 127.0.0.1 --directory $site"
