# shellcheck shell=bash disable=SC2034
# What the scripts in this folder share: places, versions, and the environment of a build. Sourced, never run.
# Written for bash 3.2 too, which is what macOS has.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
CACHE="${SLIPWAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/slipway}"
TOOLS="$CACHE/tools"

# go_version MODULE PACKAGE: the version that testbed/tools/MODULE pins, without its v.
go_version() {
  sed -n "s|^\(require \)\{0,1\}[[:space:]]*$2 v\([0-9][^ ]*\).*|\2|p" "$ROOT/testbed/tools/$1/go.mod" | head -n 1
}

# lock_version CRATE: the version in Cargo.lock.
lock_version() {
  sed -n "/^name = \"$1\"\$/{n;s/^version = \"\(.*\)\"/\1/p;}" "$ROOT/Cargo.lock" | head -n 1
}

TRUNK_VERSION=0.21.14
# Its library is leptos's wasm_split_helpers; the program must know what that writes.
WASM_SPLIT_VERSION=0.2.4
WASM_BINDGEN_VERSION="$(lock_version wasm-bindgen)"
KUBERNETES_VERSION="$(go_version kubernetes k8s.io/kubernetes)"
ETCD_VERSION="$(go_version etcd go.etcd.io/etcd/server/v3)"
KWOK_VERSION="$(go_version kwok sigs.k8s.io/kwok)"
HELM3_VERSION="$(go_version helm3 helm.sh/helm/v3)"
HELM4_VERSION="$(go_version helm4 helm.sh/helm/v4)"

# at_least HAVE WANT: compares dotted numbers.
at_least() {
  [ "$(printf '%s\n%s\n' "$2" "$1" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)" = "$2" ]
}

# number TEXT: the first dotted number in it.
number() {
  printf '%s\n' "$1" | sed -n 's/[^0-9]*\([0-9][0-9]*\(\.[0-9][0-9]*\)*\).*/\1/p' | head -n 1
}

# hash [FILE…]: the SHA-256 of the files, or of standard input.
hash() {
  if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi | cut -d ' ' -f 1
}

# hash_tree PATH…: one hash over the names and contents of every file below these paths of the clone.
hash_tree() {
  (
    cd "$ROOT" || exit
    local present=() path
    for path in "$@"; do [ ! -e "$path" ] || present+=("$path"); done
    find "${present[@]}" -name node_modules -prune -o -name build -prune -o -type f -print | LC_ALL=C sort |
      while IFS= read -r path; do printf '%s  %s\n' "$(hash "$path")" "$path"; done | hash
  )
}

# tool_dirs: every folder of built tools, one a line. The two helms share a program's name, so neither is here.
tool_dirs() {
  printf '%s\n' "$TOOLS/trunk-$TRUNK_VERSION/bin" "$TOOLS/wasm-bindgen-$WASM_BINDGEN_VERSION/bin" \
    "$TOOLS/etcd-$ETCD_VERSION/bin" "$TOOLS/kubernetes-$KUBERNETES_VERSION/bin" "$TOOLS/kwok-$KWOK_VERSION/bin"
}

# rustup_has_wasm: the everyday compiler can build for the browser.
rustup_has_wasm() {
  local libs
  libs="$(cd "$ROOT" && rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null)" && [ -d "$libs" ] &&
    [ -n "$(find "$libs" -name 'libcore-*' 2>/dev/null)" ]
}

# debian_has_wasm: Debian's compiler, its library's source and its linker are there.
debian_has_wasm() {
  [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && command -v wasm-ld-19 >/dev/null &&
    at_least "$(number "$(/usr/bin/rustc --version)")" 1.89 &&
    [ -f "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/std/Cargo.toml" ]
}

# wasm_environment: exports what a build for the browser needs on this machine.
wasm_environment() {
  # The two compilers do not read each other's artifacts, so the browser's side has a folder of its own.
  export CARGO_TARGET_DIR="$ROOT/target/web"
  PATH="$ROOT/testbed/bin:$TOOLS/trunk-$TRUNK_VERSION/bin:$TOOLS/wasm-bindgen-$WASM_BINDGEN_VERSION/bin:$ROOT/style/node_modules/.bin:$PATH"
  export PATH
  rustup_has_wasm && return
  # No ready-made library for the target: Debian's compiler builds one from its source.
  export PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
  export CARGO_UNSTABLE_BUILD_STD=std,panic_abort
  # These flags take the place of those in .cargo/config.toml.
  export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19
  export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-Clinker-flavor=wasm-ld --cfg=erase_components -Clink-args=--emit-relocs"
}
