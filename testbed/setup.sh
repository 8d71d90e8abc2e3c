#!/usr/bin/env bash
# Sets up what Slipway's builds, tests and demo need. Every step is skipped when it is done; tools are built once,
# into a cache outside the clone that is keyed by version.
#   testbed/setup.sh [STEP…]   run these steps and what they need; all of them without STEP
#   testbed/setup.sh list      name the steps
#   testbed/setup.sh env       print shell lines that put the tools on PATH
# shellcheck disable=SC2317  # steps are called by their names
set -euo pipefail
# shellcheck source=testbed/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

STEPS=(rust wasm trunk wasm-bindgen wasm-split node browser kubernetes etcd kwok real-node helm3 helm4 charts)

needs() {
  case "$1" in
    wasm | trunk | wasm-bindgen | wasm-split) echo rust ;;
    browser) echo node ;;
    charts) echo helm3 ;;
  esac
}

# ---- how a step runs ----------------------------------------------------------------------------------------

FINISHED=" "
CHILD=

step() {
  case "$FINISHED" in *" $1 "*) return ;; esac
  local need STEP RESULT="already there" started
  for need in $(needs "$1"); do step "$need"; done
  STEP="$1" started=$SECONDS
  "step_${1//-/_}"
  printf '  %-13s %s (%d s)\n' "$1" "$RESULT" $((SECONDS - started))
  FINISHED="$FINISHED$1 "
}

# have PROGRAM…: all of them are on PATH.
have() { type -P "$@" >/dev/null; }

# missing WHAT HOW: the step cannot work on this machine; says so and ends.
missing() {
  printf '\n  %-13s FAILED: %s\n  %13s To go on: %s\n\n' "$STEP" "$1" "" "$2" >&2
  exit 1
}

# run WHAT COMMAND…: runs it with its output in a log, and says every now and then that it is still at work.
run() {
  local what="$1" log="$CACHE/logs/$STEP.log" started=$SECONDS said=$SECONDS every=30 line
  shift
  if [ -t 2 ]; then every=1; fi
  mkdir -p "$CACHE/logs"
  printf '  %-13s %s …\n' "$STEP" "$what" >&2
  "$@" </dev/null >"$log" 2>&1 &
  CHILD=$!
  while kill -0 "$CHILD" 2>/dev/null; do
    sleep 0.2
    if [ $((SECONDS - said)) -ge "$every" ]; then
      said=$SECONDS
      line="$(tail -n 1 "$log" | tr -cd '[:print:]' | cut -c 1-70)"
      if [ -t 2 ]; then
        printf '\r\033[K  %13s %4d s  %s' "" $((SECONDS - started)) "$line" >&2
      else
        printf '  %13s %4d s  %s\n' "" $((SECONDS - started)) "$line" >&2
      fi
    fi
  done
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
  if wait "$CHILD"; then CHILD=; else
    CHILD=
    tail -n 25 "$log" | sed 's/^/      | /' >&2
    printf '      whole log: %s\n' "$log" >&2
    return 1
  fi
}

# One set-up at a time per cache. A folder is a lock on every system; its owner's id tells a stale one.
lock() {
  local owner told=
  mkdir -p "$CACHE"
  until mkdir "$CACHE/lock" 2>/dev/null; do
    owner="$(cat "$CACHE/lock/pid" 2>/dev/null || true)"
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      rm -rf "$CACHE/lock"
    elif [ -z "$told" ]; then
      told=yes
      echo "  another set-up (process ${owner:-?}) is at work in $CACHE; waiting for it" >&2
    fi
    sleep 0.5
  done
  echo $$ >"$CACHE/lock/pid"
  trap unlock EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

unlock() {
  if [ -n "$CHILD" ]; then kill "$CHILD" 2>/dev/null || true; fi
  rm -rf "$CACHE/lock"
}

# apt PACKAGE…: installs Debian packages where we may; fails quietly elsewhere.
apt() {
  command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return 1
  run "apt-get install $*" env DEBIAN_FRONTEND=noninteractive sh -c \
    'apt-get install -y --no-install-recommends "$@" || { apt-get update && apt-get install -y --no-install-recommends "$@"; }' \
    apt "$@"
}

# ---- Rust and the browser's side ----------------------------------------------------------------------------

step_rust() {
  have rustc cargo || missing "no Rust compiler on PATH" "install Rust with rustup, https://rustup.rs"
  local version component
  version="$(number "$(cd "$ROOT" && rustc --version)")"
  at_least "$version" 1.89 || missing "Rust $version is too old; 1.89 is needed" "rustup update stable"
  for component in rustfmt clippy; do
    cargo "${component/rustfmt/fmt}" --version >/dev/null 2>&1 || run "rustup component add $component" \
      rustup component add "$component" || missing "no $component" "rustup component add $component"
  done
  RESULT="Rust $version"
}

step_wasm() {
  if rustup_has_wasm; then
    RESULT="target wasm32-unknown-unknown of $(rustc --version | cut -d ' ' -f 1-2)"
    return
  elif debian_has_wasm; then
    RESULT="Debian's $(/usr/bin/rustc --version | cut -d ' ' -f 1-2), its library built from source"
    return
  fi
  if command -v rustup >/dev/null && run "rustup target add wasm32-unknown-unknown" \
    rustup target add wasm32-unknown-unknown && rustup_has_wasm; then
    RESULT="target added by rustup"
  elif apt rustc-web cargo-web rust-web-src lld-19 && debian_has_wasm; then
    RESULT="Debian's compiler installed"
  else
    missing "no compiler for wasm32-unknown-unknown" \
      "rustup target add wasm32-unknown-unknown; or, on Debian as root, apt-get install rustc-web cargo-web rust-web-src lld-19"
  fi
}

# cargo_tool NAME VERSION PROGRAM ARGUMENT…: a program built by cargo, unoptimised: it runs seconds, it builds minutes.
cargo_tool() {
  local name="$1" version="$2" program="$3" home="$TOOLS/$1-$2" found building
  shift 3
  RESULT="$version"
  if [ -x "$home/bin/$program" ]; then return; fi
  mkdir -p "$home/bin"
  found="$(command -v "$program" || true)"
  if [ -n "$found" ] && [ "$(number "$("$found" --version)")" = "$version" ]; then
    ln -sf "$found" "$home/bin/$program"
    RESULT="$version, $found"
    return
  fi
  building="$TOOLS/.$name-$version.$$"
  rm -rf "$building" && mkdir -p "$building"
  # From the cache's folder: a toolchain or a configuration of the clone has no say here.
  (cd "$CACHE" && run "building $version, a few minutes" env CARGO_TARGET_DIR="$building/target" \
    CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    CARGO_PROFILE_RELEASE_STRIP=debuginfo cargo install --root "$building" --version "$version" "$@") ||
    missing "cargo could not build it (see above)" "check that crates.io can be reached, then run this again"
  rm -rf "$building/target" "$home"
  mv "$building" "$home"
  RESULT="$version built"
}

step_trunk() { cargo_tool trunk "$TRUNK_VERSION" trunk --locked --no-default-features --features rustls trunk; }

# Its version must be the library's, and its own lock file holds versions that no longer build.
step_wasm_bindgen() { cargo_tool wasm-bindgen "$WASM_BINDGEN_VERSION" wasm-bindgen wasm-bindgen-cli; }

step_wasm_split() {
  cargo_tool wasm-split "$WASM_SPLIT_VERSION" wasm-split-cli --locked --features build-binary wasm_split_cli_support
}

step_node() {
  have node npm || missing "no Node.js on PATH" "install Node.js 20 or newer, https://nodejs.org, or your system's nodejs and npm"
  local version folder lock stamp
  version="$(number "$(node --version)")"
  at_least "$version" 20 || missing "Node.js $version is too old; 20 is needed" "install a newer one, https://nodejs.org"
  RESULT="Node.js $version"
  for folder in style end2end; do
    if [ ! -f "$ROOT/$folder/package.json" ]; then continue; fi
    lock="$ROOT/$folder/package-lock.json" stamp="$ROOT/$folder/node_modules/.slipway"
    if [ ! -f "$lock" ]; then missing "$folder/package-lock.json is not there" "npm install in $folder, and commit it"; fi
    if [ "$(cat "$stamp" 2>/dev/null)" = "$(hash "$lock")" ]; then continue; fi
    run "npm ci in $folder" env PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --prefix "$ROOT/$folder" --no-audit --no-fund ||
      missing "npm could not install $folder's packages (see above)" "check that the npm registry can be reached"
    hash "$lock" >"$stamp"
    RESULT="Node.js $version, packages installed"
  done
}

# find_chromium: the path of a browser that Playwright can drive.
find_chromium() {
  local name
  for name in chromium chromium-browser google-chrome; do
    if type -P $name; then return; fi
  done
  cd "$ROOT/end2end" 2>/dev/null &&
    node -p 'const p = require("@playwright/test").chromium.executablePath(); require("fs").statSync(p); p' 2>/dev/null
}

step_browser() {
  if ! (find_chromium >/dev/null); then
    if [ -f "$ROOT/end2end/package.json" ] && run "npx playwright install chromium" \
      npm exec --prefix "$ROOT/end2end" -- playwright install chromium; then
      :
    elif ! apt chromium; then
      missing "no Chromium" "npx playwright install chromium in end2end; or your system's chromium package"
    fi
  fi
  RESULT="$(find_chromium)" || missing "no Chromium, although it was installed" "see $CACHE/logs/browser.log"
}

# ---- the cluster's programs ---------------------------------------------------------------------------------

step_go() {
  have go || missing "no Go on PATH" "install Go 1.26 or newer, https://go.dev/dl"
  local version
  version="$(number "$(cd "$ROOT/testbed/tools/kubernetes" && go version 2>/dev/null | cut -d ' ' -f 3)")"
  at_least "${version:-0}" 1.26 || missing "Go ${version:-too old}; 1.26 is needed" "install a newer one, https://go.dev/dl"
  RESULT="Go $version"
}

# existing PROGRAM VERSION: the path of one that is on this machine and has the same major and minor version.
existing() {
  local path said
  for path in "${KUBEBUILDER_ASSETS:-/nowhere}/$1" "$(command -v "$1" || true)"; do
    if [ ! -x "$path" ]; then continue; fi
    case "$1" in helm) said="$("$path" version --short 2>/dev/null)" ;; *) said="$("$path" --version 2>/dev/null)" ;; esac || continue
    case "$(number "$said")" in "${2%.*}" | "${2%.*}".*) echo "$path" && return ;; esac
  done
}

# go_build FOLDER OUTPUT PACKAGE LDFLAGS: builds in one of the pinned modules; go.sum says what it may be built from.
go_build() {
  cd "$ROOT/testbed/tools/$1" &&
    CGO_ENABLED=0 GOFLAGS="-buildvcs=false -mod=readonly" go build -trimpath -ldflags "-s -w $4" -o "$2" "$3"
}

# go_tools MODULE[:HOME] VERSION LDFLAGS PROGRAM=PACKAGE…: programs of one module, adopted or built, in the folder HOME.
go_tools() {
  local module="${1%%:*}" version="$2" ldflags="$3" home="$TOOLS/${1##*:}-$2" pair program found complete=yes
  shift 3
  RESULT="$version"
  for pair in "$@"; do [ -x "$home/bin/${pair%%=*}" ] || complete=; done
  if [ -n "$complete" ]; then return; fi
  mkdir -p "$home/bin"
  for pair in "$@"; do
    program="${pair%%=*}"
    if [ -x "$home/bin/$program" ]; then continue; fi
    found="$(existing "$program" "$version")"
    if [ -n "$found" ]; then
      ln -sf "$found" "$home/bin/$program"
      RESULT="$version, $found"
      continue
    fi
    step go
    run "building $program $version" go_build "$module" "$home/bin/.$program.$$" "${pair#*=}" "$ldflags" ||
      missing "go could not build $program (see above)" \
        "check that Go's module proxy can be reached, or put $program ${version%.*} on PATH"
    mv "$home/bin/.$program.$$" "$home/bin/$program"
    RESULT="$version built"
  done
}

# go_kubernetes HOME PROGRAM=PACKAGE…: programs that know their version; others call themselves v0.0.0 and refuse to work
# together.
go_kubernetes() {
  local home="$1" package=k8s.io/component-base/version
  shift
  go_tools "kubernetes:$home" "$KUBERNETES_VERSION" \
    "-X $package.gitVersion=v$KUBERNETES_VERSION -X $package.gitMajor=1 -X $package.gitMinor=$(echo "$KUBERNETES_VERSION" | cut -d . -f 2)" \
    "$@"
}

step_kubernetes() {
  go_kubernetes kubernetes \
    kube-apiserver=k8s.io/kubernetes/cmd/kube-apiserver \
    kube-controller-manager=k8s.io/kubernetes/cmd/kube-controller-manager \
    kube-scheduler=k8s.io/kubernetes/cmd/kube-scheduler
}

# Where there can be one; the tests that want it say that they are skipped elsewhere.
step_real_node() {
  local lacking
  if [ "$(uname -s)" != Linux ]; then RESULT="none: it takes Linux" && return; fi
  if [ "$(id -u)" != 0 ]; then RESULT="none: it takes root" && return; fi
  read -r -a lacking <<<"$(real_node_lacks)"
  # No more than is lacking: a containerd from elsewhere must not be replaced.
  if [ ${#lacking[@]} != 0 ] && apt "${lacking[@]}"; then read -r -a lacking <<<"$(real_node_lacks)"; fi
  if [ ${#lacking[@]} != 0 ]; then
    RESULT="none: install what Debian calls ${lacking[*]}, then run this again"
    return
  fi
  go_kubernetes node kubelet=k8s.io/kubernetes/cmd/kubelet kube-proxy=k8s.io/kubernetes/cmd/kube-proxy
}

# real_node_lacks: Debian's packages of what a real node lacks on this machine, in one line.
real_node_lacks() {
  local pair lacking=()
  for pair in containerd=containerd containerd-shim-runc-v2=containerd ctr=containerd runc=runc ip=iproute2 \
    iptables=iptables busybox=busybox-static slirp4netns=slirp4netns openssl=openssl unshare=util-linux; do
    have "${pair%%=*}" || lacking+=("${pair#*=}")
  done
  if [ ! -x /usr/lib/cni/ptp ] && [ ! -x /opt/cni/bin/ptp ]; then lacking+=(containernetworking-plugins); fi
  printf '%s\n' "${lacking[@]+"${lacking[@]}"}" | sort -u | paste -s -d ' ' -
}

step_etcd() { go_tools etcd "$ETCD_VERSION" "" etcd=go.etcd.io/etcd/server/v3; }

step_kwok() {
  go_tools kwok "$KWOK_VERSION" "-X sigs.k8s.io/kwok/pkg/consts.Version=v$KWOK_VERSION" kwok=sigs.k8s.io/kwok/cmd/kwok
  # kwok's own stages, next to it, so that a running cluster needs no Go.
  local stages="$TOOLS/kwok-$KWOK_VERSION/stages" source part
  if [ -d "$stages" ]; then return; fi
  step go
  run "fetching its stages" go -C "$ROOT/testbed/tools/kwok" mod download sigs.k8s.io/kwok
  source="$(cd "$ROOT/testbed/tools/kwok" && go list -m -f '{{.Dir}}' sigs.k8s.io/kwok)"
  rm -rf "$stages.$$" && mkdir -p "$stages.$$"
  for part in pod/general node/fast node/heartbeat-with-lease; do
    cp "$source/kustomize/stage/$part/"[np]o*-*.yaml "$stages.$$/"
  done
  chmod -R u+w "$stages.$$"
  mv "$stages.$$" "$stages"
}

# go_helm MAJOR VERSION: reports the exact version, which a plain build of the module does not know.
go_helm() {
  go_tools "helm$1" "$2" "-X helm.sh/helm/v$1/internal/version.version=v$2" "helm=helm.sh/helm/v$1/cmd/helm"
  RESULT="$RESULT, says $("$TOOLS/helm$1-$2/bin/helm" version --short | cut -d + -f 1)"
}

step_helm3() { go_helm 3 "$HELM3_VERSION"; }
step_helm4() { go_helm 4 "$HELM4_VERSION"; }

step_charts() { RESULT="$("$ROOT/testbed/charts.sh")"; }

# ---- what was asked -----------------------------------------------------------------------------------------

# A function, so that bash has read all of this file before it starts: it may change while a long step runs.
main() {
  case "${1:-}" in
    list)
      printf '%s\n' "${STEPS[@]}"
      exit
      ;;
    env)
      printf 'export SLIPWAY_CACHE=%q\n' "$CACHE"
      printf 'export PATH=%q:"%s"\n' "$(tool_dirs | paste -s -d : -)" "\$PATH"
      if chromium="$(find_chromium)"; then printf 'export CHROMIUM=%q\n' "$chromium"; fi
      exit
      ;;
    -h | --help)
      sed -n '2,/^# shellcheck/{/^# [^s]/s/^# //p;}' "$0"
      exit
      ;;
  esac

  if [ $# = 0 ]; then set -- "${STEPS[@]}"; fi
  for asked in "$@"; do
    case " ${STEPS[*]} " in *" $asked "*) ;; *) echo "unknown step $asked; there are: ${STEPS[*]}" >&2 && exit 2 ;; esac
  done
  echo "Set-up, tools in $CACHE"
  lock
  for asked in "$@"; do step "$asked"; done
  echo "Set-up finished in $SECONDS s"
}

main "$@"
exit
