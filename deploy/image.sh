#!/usr/bin/env bash
# Makes a container image without a registry and without a daemon: a docker-archive that `ctr images import`,
# `docker load` and `kind load image-archive` take. The same files give the same bytes.
#   deploy/image.sh runner OUTPUT SLIPWAY HELM [NAME]   Slipway's own: the two programs, run by a user without rights
#   deploy/image.sh busybox OUTPUT BUSYBOX NAME…        a static busybox with its applets, which waits when not told more
set -euo pipefail

usage() {
  sed -n 's/^#   \(deploy\)/\1/p' "$0" >&2
  exit 2
}

# bring ROOT FILE TARGET: copies a program into the image and, unless it is static, the loader and the libraries that it
# names.
bring() {
  local root="$1" file="$2" target="$3" library
  install -D -m 755 "$file" "$root$target"
  # `ldd` fails for a static program.
  { ldd "$file" 2>/dev/null || true; } | sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*/\1/p' | while read -r library; do
    install -D -m 755 "$library" "$root$library"
  done
}

# sum FILE: its SHA-256.
sum() { sha256sum "$1" | cut -d ' ' -f 1; }

# archive ROOT OUTPUT CONFIG NAME…: packs a folder and what is to be run in it.
archive() {
  local root="$1" output="$2" config="$3" building name names=""
  shift 3
  building="$(mktemp -d "${TMPDIR:-/tmp}/slipway-image.XXXXXX")"
  for name in "$@"; do names="$names${names:+,}\"$name\""; done
  pack "$root" "$building/layer.tar"
  printf '{"architecture":"%s","os":"linux","created":"1970-01-01T00:00:00Z","config":%s,' \
    "$ARCHITECTURE" "$config" >"$building/config.json"
  printf '"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}' "$(sum "$building/layer.tar")" >>"$building/config.json"
  printf '[{"Config":"config.json","RepoTags":[%s],"Layers":["layer.tar"]}]' "$names" >"$building/manifest.json"
  mkdir -p "$(dirname "$output")"
  # In one step, so that nobody reads half of it.
  pack "$building" "$output.$$" manifest.json config.json layer.tar
  mv "$output.$$" "$output"
  rm -rf "$building"
}

# pack FOLDER OUTPUT [FILE…]: a tar in which only names, modes and contents count.
pack() {
  local folder="$1" output="$2"
  shift 2
  if [ $# = 0 ]; then set -- .; fi
  tar --create --file "$output" --directory "$folder" --format=gnu --sort=name --mtime=@0 --owner=0 --group=0 \
    --numeric-owner "$@"
}

case "$(uname -m)" in
  x86_64) ARCHITECTURE=amd64 ;;
  aarch64 | arm64) ARCHITECTURE=arm64 ;;
  *) ARCHITECTURE="$(uname -m)" ;;
esac

# What is packed is readable whoever packs it.
umask 022
ROOT="$(mktemp -d "${TMPDIR:-/tmp}/slipway-image.XXXXXX")"
trap 'rm -rf "$ROOT"' EXIT
chmod 755 "$ROOT"
install -d -m 1777 "$ROOT/tmp"
install -d "$ROOT/etc"

case "${1:-}" in
  runner)
    [ $# -ge 4 ] || usage
    bring "$ROOT" "$3" /usr/local/bin/slipway
    bring "$ROOT" "$4" /usr/local/bin/helm
    printf 'root:x:0:0:root:/:/sbin/nologin\nslipway:x:65532:65532:Slipway:/tmp:/sbin/nologin\n' >"$ROOT/etc/passwd"
    printf 'root:x:0:\nslipway:x:65532:\n' >"$ROOT/etc/group"
    # Whom to trust when charts come from afar: what this machine trusts.
    if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
      install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$ROOT/etc/ssl/certs/ca-certificates.crt"
    fi
    archive "$ROOT" "$2" '{"User":"65532:65532","Entrypoint":["slipway"],"WorkingDir":"/tmp",
      "Env":["PATH=/usr/local/bin","HOME=/tmp"]}' "${5:-docker.io/library/slipway:latest}"
    ;;
  busybox)
    [ $# -ge 4 ] || usage
    output="$2"
    bring "$ROOT" "$3" /bin/busybox
    "$ROOT/bin/busybox" --list | while read -r applet; do
      if [ "$applet" != busybox ]; then ln -s busybox "$ROOT/bin/$applet"; fi
    done
    printf 'root:x:0:0:root:/:/bin/sh\n' >"$ROOT/etc/passwd"
    printf 'root:x:0:\n' >"$ROOT/etc/group"
    shift 3
    archive "$ROOT" "$output" '{"Env":["PATH=/bin"],"Cmd":["sleep","infinity"]}' "$@"
    ;;
  *) usage ;;
esac
