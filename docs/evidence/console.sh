#!/usr/bin/env bash
# Sends the requests that show the faults of an OpenShift console's asynchronous Helm endpoints, and prints what came back.
# docs/design/backend.md says what each step is about; the faults were found at commit da1f132 of openshift/console.
#
#   docs/evidence/console.sh ADDRESS NAMESPACE CHARTS [STEP…]
#
#   ADDRESS    the running console's, as http://127.0.0.1:9000
#   NAMESPACE  an existing namespace: everything that is made is made there, under names of its own
#   CHARTS     where the console itself can fetch this project's sample charts, as http://127.0.0.1:8879:
#              python3 -m http.server --bind 127.0.0.1 --directory "$(testbed/charts.sh)" 8879
#              The hooks of these take their time on the simulated node of the cluster that `make demo` starts; elsewhere they
#              end at once, and the steps rollback, hook and restart show nothing.
#   STEP       which steps to take; else all that change nothing for others
#
#   COOKIE     cookies of a session, where the console asks for one (openshift-session-token=…)
#   INSECURE   yes: take any certificate
#   RESTART    a command that kills the console's backend and starts it again; the step `restart` needs it
#   CLEAN      yes: delete at the end what was made; else it is only said what there is to delete
#
# It needs bash, curl and the usual text tools. It ends with 1 if the console cannot be asked, and with 0 whatever it shows.
set -euo pipefail

if [ $# -lt 3 ]; then
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"
  exit 2
fi
address="${1%/}" namespace="$2" charts="${3%/}"
shift 3
all=(answer duplicate refused lost-secret unfetchable schema missing uninstall rollback hook history list)
steps=("$@")
if [ ${#steps[@]} -eq 0 ]; then steps=("${all[@]}"); fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# The console compares a cookie with a header, and nothing else: any value will do.
token="evidence-$$"
prefix="evidence-$(date +%s)"
made=() verdicts=()
code=000 body=""

# ask METHOD PATH [BODY]: asks the console, and leaves the answer in `code` and `body`.
ask() {
  local method="$1" path="$2" data="${3:-}" seconds
  local options=(--silent --show-error --max-time 180 --request "$method" --output "$work/body")
  options+=(--header "X-CSRFToken: $token" --header "Cookie: csrf-token=$token${COOKIE:+; $COOKIE}")
  if [ "${INSECURE:-}" = yes ]; then options+=(--insecure); fi
  if [ -n "$data" ]; then options+=(--header "Content-Type: application/json" --data "$data"); fi
  : >"$work/body"
  if ! read -r code seconds < <(curl "${options[@]}" --write-out '%{http_code} %{time_total}\n' "$address$path"); then
    echo "no answer from $address" >&2
    exit 1
  fi
  if [ "$code" = 000 ]; then echo "no answer from $address$path" >&2 && exit 1; fi
  body="$(tr -d '\0' <"$work/body")"
  took="$seconds"
  size="$(wc -c <"$work/body" | tr -d ' ')"
}

# told METHOD PATH [BODY]: the same, and says both.
told() {
  echo "  > $1 $2${3:+ $3}"
  ask "$@"
  echo "  < $code after $took s, $size bytes: $(printf %s "$body" | tr '\n' ' ' | cut -c 1-300)"
}

# field NAME: the first string or number of that name in the answer.
field() {
  printf %s "$body" | tr '\n' ' ' | grep -oE "\"$1\": *(\"(\\\\.|[^\"\\\\])*\"|[0-9]+)" | head -1 | sed "s/^\"$1\": *//; s/^\"//; s/\"\$//" || true
}

secret() { ask GET "/api/kubernetes/api/v1/namespaces/$namespace/secrets/$1"; }
release() { ask GET "/api/helm/release?ns=$namespace&name=$1"; }

# install NAME CHART [VALUES]: an install by URL, without a repository.
install() {
  made+=("$1")
  told POST /api/helm/release/async \
    "{\"namespace\":\"$namespace\",\"name\":\"$1\",\"chart_url\":\"$charts/$2.tgz\",\"noRepo\":true,\"values\":${3:-{\}}}"
}

# upgrade NAME CHART VALUES
upgrade() {
  told PUT /api/helm/release/async \
    "{\"namespace\":\"$namespace\",\"name\":\"$1\",\"chart_url\":\"$charts/$2.tgz\",\"values\":$3}"
}

# settled NAME REVISION: waits until helm's record of that revision is no longer pending, for two minutes, and says how it
# ended.
settled() {
  local until=$((SECONDS + 120)) status=none
  while [ $SECONDS -lt $until ]; do
    secret "sh.helm.release.v1.$1.v$2"
    status="$(field status)"
    case "$code $status" in
      "200 pending-"*) sleep 1 ;;
      200*) break ;;
      *) status=none && sleep 1 ;;
    esac
  done
  release "$1"
  echo "  helm's record: $1 revision $2 is $status: $(field description | cut -c 1-200)"
  ended="$status"
}

# shows WHAT YES|NO
shows() {
  verdicts+=("$2|$step|$1")
  echo "  = $1: $2"
}
yes_if() { if "$@"; then echo yes; else echo no; fi; }

step_answer() {
  echo "The chart is fetched and rendered before the answer; start CHARTS on a slow machine to see the difference."
  install "$prefix-answer" web-1.0.0
  local answered="$code after $took s"
  settled "$prefix-answer" 1
  shows "an install of a small chart is answered $answered" "$(yes_if test "$ended" = deployed)"
}

step_duplicate() {
  echo "A name that is in use: helm refuses it, and the console answers 201 with the old release's Secret."
  install "$prefix-duplicate" web-1.0.0
  local first
  first="$(field uid)"
  settled "$prefix-duplicate" 1
  install "$prefix-duplicate" web-1.1.0
  shows "201 with the old Secret for an install that was not done" \
    "$(yes_if test "$code" = 201 -a -n "$first" -a "$(field uid)" = "$first")"
}

step_refused() {
  echo "An object that the API server refuses (a port of 70000): the answer is 201 all the same."
  install "$prefix-refused" web-1.0.0 '{"service":{"port":70000}}'
  local answered="$code"
  settled "$prefix-refused" 1
  shows "201 for an install that failed" "$(yes_if test "$answered" = 201 -a "$ended" = failed)"
  secret "$prefix-refused"
  echo "  a Secret named like the release: $code, keys and labels: $(field error | cut -c 1-80) $(field owner)"
  shows "for 15 s a Secret named like the release holds the error" "$(yes_if test "$code" = 200)"
}

step_lost-secret() {
  echo "A Secret of the user's that is named like a release that fails: it is deleted 15 s after the failure."
  local name="$prefix-lost"
  told POST "/api/kubernetes/api/v1/namespaces/$namespace/secrets" \
    "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"$name\"},\"stringData\":{\"mine\":\"yes\"}}"
  if [ "$code" != 201 ]; then echo "  the Secret cannot be made: $code" && return; fi
  install "$name" web-1.0.0 '{"service":{"port":70000}}'
  settled "$name" 1
  secret "$name"
  echo "  the user's Secret at once: $code"
  sleep 20
  secret "$name"
  echo "  the user's Secret 20 s later: $code"
  shows "the user's own Secret is gone" "$(yes_if test "$code" = 404)"
}

step_unfetchable() {
  echo "An archive that is not there: an answer with helm's text. This works as it should, but while the user waits."
  install "$prefix-unfetchable" no-such-chart-1.0.0
  shows "400 with helm's text" "$(yes_if test "$code" = 400)"
}

step_schema() {
  echo "Values that the chart's schema refuses: found before helm writes a record, so told. It works as it should."
  install "$prefix-schema" schema-1.0.0 '{"replicas":99}'
  shows "400 with helm's text" "$(yes_if test "$code" = 400)"
}

step_missing() {
  echo "A release that does not exist is a bad gateway."
  told GET "/api/helm/release?ns=$namespace&name=$prefix-none"
  shows "502 for a release that is not there" "$(yes_if test "$code" = 502)"
}

step_uninstall() {
  echo "The uninstall begins before it is looked at whether the release exists, so a fast one is answered 404, and so is any"
  echo "whose revision is not the one that the browser saw last, although the release goes."
  install "$prefix-gone" web-1.0.0
  settled "$prefix-gone" 1
  told DELETE "/api/helm/release/async?ns=$namespace&name=$prefix-gone&version=7"
  local answered="$code" until=$((SECONDS + 60))
  while [ $SECONDS -lt $until ]; do
    secret "sh.helm.release.v1.$prefix-gone.v1"
    if [ "$code" = 404 ]; then break; fi
    sleep 1
  done
  echo "  helm's record afterwards: $code"
  shows "404 for an uninstall that was done" "$(yes_if test "$answered" = 404 -a "$code" = 404)"
}

step_rollback() {
  echo "A rollback is answered when it is over: a hook of 8 s keeps the request for as long."
  local name="$prefix-rollback" values='"fail":false,"startup":{"seconds":8},"hook":"pre-rollback"'
  install "$name" hook-fails-1.0.0 "{$values}"
  settled "$name" 1
  upgrade "$name" hook-fails-1.0.0 "{$values,\"replicas\":3}"
  settled "$name" 2
  told PATCH /api/helm/release "{\"namespace\":\"$namespace\",\"name\":\"$name\",\"version\":1}"
  shows "the rollback's answer took $took s" "$(yes_if test "${took%%.*}" -ge 5)"
}

step_hook() {
  echo "The console gives helm no time-out, and helm 4 then gives a hook 30 s: one of 45 s fails, which \`helm install\` waits for."
  install "$prefix-hook" hook-fails-1.0.0 '{"fail":false,"startup":{"seconds":45}}'
  settled "$prefix-hook" 1
  shows "a hook of 45 s is a failure" "$(yes_if test "$ended" = failed)"
}

step_history() {
  echo "The console sets no limit to the history: helm in a terminal keeps 10 revisions."
  local name="$prefix-history" revision kept
  install "$name" web-1.0.0
  settled "$name" 1
  for revision in 2 3 4 5 6 7 8 9 10 11 12; do
    upgrade "$name" web-1.0.0 "{\"replicas\":$((revision % 2 + 1))}"
    settled "$name" "$revision"
  done
  ask GET "/api/kubernetes/api/v1/namespaces/$namespace/secrets?labelSelector=owner%3Dhelm,name%3D$name"
  kept="$(printf %s "$body" | grep -o "\"name\": *\"sh.helm.release.v1.$name.v[0-9]*\"" | sort -u | wc -l | tr -d ' ')"
  shows "$kept revisions are kept after 12" "$(yes_if test "$kept" -gt 10)"
}

step_list() {
  echo "All releases of the cluster in one answer: each record is read and decoded, once for each visit."
  ask GET "/api/helm/releases?limitInfo=true"
  echo "  < $code after $took s, $size bytes"
  shows "the list took $took s and has $size bytes" "$(yes_if test "$code" = 200)"
}

step_restart() {
  if [ -z "${RESTART:-}" ]; then echo "  RESTART is not set: skipped" && return; fi
  echo "The backend is killed in mid-install: the record stays pending, and nothing ends or explains it."
  local name="$prefix-restart" until=$((SECONDS + 60))
  install "$name" hook-fails-1.0.0 '{"fail":false,"startup":{"seconds":25}}'
  echo "  \$ $RESTART"
  bash -c "$RESTART"
  until curl --silent --insecure --output /dev/null "$address" || [ $SECONDS -ge $until ]; do sleep 1; done
  sleep 60
  secret "sh.helm.release.v1.$name.v1"
  local status
  status="$(field status)"
  echo "  helm's record a minute later: $status"
  shows "pending for ever" "$(yes_if test "$status" = pending-install)"
}

ask GET "/api/kubernetes/api/v1/namespaces/$namespace"
if [ "$code" != 200 ]; then
  echo "The namespace $namespace cannot be read through $address: $code $(printf %s "$body" | cut -c 1-200)" >&2
  exit 1
fi
for step in "${steps[@]}"; do
  if ! declare -F "step_$step" >/dev/null; then
    echo "There is no step $step; there are: ${all[*]} restart" >&2
    exit 2
  fi
  echo
  echo "== $step"
  "step_$step"
done

echo
echo "| shown | step | what |"
echo "| --- | --- | --- |"
for verdict in "${verdicts[@]}"; do
  IFS='|' read -r shown step what <<<"$verdict"
  echo "| $shown | $step | $what |"
done

echo
for name in $(printf '%s\n' "${made[@]:-}" | sort -u); do
  for path in "/api/helm/release?ns=$namespace&name=$name" "/api/kubernetes/api/v1/namespaces/$namespace/secrets/$name"; do
    if [ "${CLEAN:-}" = yes ]; then
      ask DELETE "$path"
      echo "deleted: $path: $code"
    else
      echo "would delete: $path"
    fi
  done
done
if [ "${CLEAN:-}" != yes ]; then echo "CLEAN=yes deletes it."; fi
