#!/usr/bin/env bash
# Packages the sample charts into a chart repository, once for each state of their sources, and prints its folder.
#   charts/NAME/chart      the chart
#   charts/NAME/versions   a line for each version: VERSION APP_VERSION
#   charts/NAME/VERSION    files that this version has in place of the chart's
#   charts/NAME/prepare    what still has to be done to a copy of the chart (its folder, version and app version are given)
# HELM names the helm to use.
set -euo pipefail
# shellcheck source=testbed/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

helm="${HELM:-$TOOLS/helm3-$HELM3_VERSION/bin/helm}"
repository="$CACHE/charts/$(hash_tree testbed/charts testbed/charts.sh | cut -c 1-16)"
if [ -f "$repository/index.yaml" ]; then echo "$repository" && exit; fi

# Two at once each build their own; the first to finish wins.
building="$(mktemp -d "${TMPDIR:-/tmp}/slipway-charts.XXXXXX")"
trap 'rm -rf "$building"' EXIT
mkdir "$building/repository" "$building/helm"
# The user's helm configuration has no part in this.
export HELM_CONFIG_HOME="$building/helm" HELM_CACHE_HOME="$building/helm" HELM_DATA_HOME="$building/helm"

for source in "$ROOT"/testbed/charts/*/; do
  name="$(basename "$source")"
  while read -r version app_version; do
    chart="$building/$name-$version/$name"
    mkdir -p "$chart"
    cp -R "$source/chart/." "$chart"
    if [ -d "$source/$version" ]; then cp -R "$source/$version/." "$chart"; fi
    if [ -f "$source/prepare" ]; then "$source/prepare" "$chart" "$version" "$app_version"; fi
    "$helm" package "$chart" --version "$version" --app-version "$app_version" --destination "$building/repository" >&2
  done <"$source/versions"
done
"$helm" repo index "$building/repository" >&2

mkdir -p "$CACHE/charts"
mv "$building/repository" "$repository.$$"
if ! mv -T "$repository.$$" "$repository" 2>/dev/null; then
  # macOS has no -T; a folder that is there already has the same content.
  if [ -d "$repository" ]; then rm -rf "$repository.$$"; else mv "$repository.$$" "$repository"; fi
fi
echo "$repository"
