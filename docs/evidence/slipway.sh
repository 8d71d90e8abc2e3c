#!/usr/bin/env bash
# Sends the requests of console.sh to a running Slipway, and prints what came back: the same flows, then. slipway.txt is what was
# seen.
#
#   docs/evidence/slipway.sh ADDRESS NAMESPACE REPOSITORY [STEP…]
#
#   ADDRESS     the running server's, as http://127.0.0.1:8080
#   NAMESPACE   an existing namespace: everything that is made is made there, under names of its own
#   REPOSITORY  what the server calls the repository of this project's sample charts, as `samples`
#   STEP        which steps to take; else all
#
#   SLOW        what it calls a slow one, for the step slow: docs/evidence/charts.py "$(testbed/charts.sh)" 8880 1
#   RESTART, RACE, CALM   as for console.sh
#   KUBECTL     how to ask the cluster, as `kubectl --kubeconfig FILE`, for the steps lost-secret and finalizer
#
# It needs bash, curl and the usual text tools. It ends with 1 if Slipway cannot be asked, and with 0 whatever it shows.
set -euo pipefail
# shellcheck source=docs/evidence/requests.sh
. "$(dirname "${BASH_SOURCE[0]}")/requests.sh"

if [ $# -lt 3 ]; then usage "$0"; fi
address="${1%/}" namespace="$2" repository="$3"
shift 3
steps=("$@")
if [ ${#steps[@]} -eq 0 ]; then
  steps=(answer slow long duplicate twice refused lost-secret unfetchable schema missing uninstall finalizer rollback upgrades
    hook history list quota restart)
fi
api=/api/v1

# asked_for KIND NAME [CHART VERSION [VALUES [OPTIONS [REPOSITORY]]]]: the body of a submission.
asked_for() {
  local chart=""
  if [ -n "${3:-}" ]; then
    chart=",\"chart\":{\"repository\":\"${7:-$repository}\",\"name\":\"$3\",\"version\":\"$4\"}"
  fi
  local options=',"options":{"wait":false}'
  echo "{\"kind\":\"$1\",\"namespace\":\"$namespace\",\"name\":\"$2\"$chart,\"values\":\"${5:-}\"${6:-$options}}"
}

# submit KIND NAME …: submits it, and leaves the operation's id in `id`.
submit() {
  told POST "$api/operations" "$(asked_for "$@")"
  id="$(field id)"
}

# ended: waits for the end of the operation `id`, for five minutes, and says it. Leaves state, attempts and class.
ended() {
  local until=$((SECONDS + 300))
  state=none
  while [ $SECONDS -lt $until ]; do
    ask GET "$api/operations/$id"
    # Attempts have no state of their own, so the first one is the operation's.
    state="$(field state)"
    case "$state" in queued | running | retrying) sleep 0.5 ;; *) break ;; esac
  done
  attempts="$(printf %s "$body" | tr '\n' ' ' | grep -o '"exitCode":' | wc -l | tr -d ' ')"
  class="$(field class)" cause="$(field cause)"
  echo "  the operation is $state after $attempts attempt(s)${cause:+: $class: $cause}"
}

# at_once BODY BODY: two submissions at the same moment; their codes are left in `codes`.
at_once() {
  local one
  for one in 1 2; do
    curl --silent --max-time 60 --output "$work/at-once-$one" --write-out '%{http_code}' \
      --header "Content-Type: application/json" --data "${!one}" "$address$api/operations" >"$work/code-$one" &
  done
  wait
  codes="$(cat "$work/code-1") $(cat "$work/code-2")"
  echo "  < $codes"
  body="$(grep -lE '"state"' "$work"/at-once-* | head -1 | xargs cat)"
  id="$(field id)"
}

step_answer() {
  echo "The answer comes before the chart is fetched: five small ones."
  local times=() run
  for run in 1 2 3 4 5; do
    submit install "$prefix-answer-$run" web 1.0.0
    times+=("$took")
    ended
  done
  shows "an install of a small chart is answered after ${times[*]} s" "$(yes_if test "$state" = succeeded)"
}

step_slow() {
  if [ -z "${SLOW:-}" ]; then echo "  skipped: SLOW is not set" && return; fi
  echo "The same, from a repository whose every answer comes a second late."
  submit install "$prefix-slow" web 1.1.0 "" ',"options":{"wait":false}' "$SLOW"
  local answered="$took"
  ended
  shows "the same from a slow repository is answered after $answered s" "$(yes_if test "$state" = succeeded)"
}

step_long() {
  echo "A chart of 46 sub-charts, whose pre-install hook comes first."
  submit install "$prefix-long" platform 2026.2.0
  local answered="$took"
  ended
  shows "46 sub-charts are answered after $answered s" "$(yes_if test "$state" = succeeded)"
}

step_duplicate() {
  echo "A name that is in use is refused, with the release that has it."
  submit install "$prefix-duplicate" web 1.0.0
  ended
  told POST "$api/operations" "$(asked_for install "$prefix-duplicate" web 1.1.0)"
  shows "$code after $took s for a name that is in use" "$(yes_if test "$code" = 409)"
}

step_twice() {
  echo "Two installs of one name at the same moment: one is done, the other learns which."
  at_once "$(asked_for install "$prefix-twice" web 1.0.0)" "$(asked_for install "$prefix-twice" web 1.1.0)"
  ended
  shows "of two installs at once one is accepted, the other refused: $codes" \
    "$(yes_if test "$(echo "$codes" | tr ' ' '\n' | sort | xargs)" = "202 409")"
}

step_refused() {
  echo "An object that the API server refuses (a port of 70000): the operation fails, with the cause."
  submit install "$prefix-refused" web 1.0.0 'service: {port: 70000}'
  ended
  shows "failed, with its cause: ${cause:-none}" "$(yes_if test "$state" = failed -a -n "$cause")"
}

step_lost-secret() {
  if [ -z "${KUBECTL:-}" ]; then echo "  skipped: KUBECTL is not set" && return; fi
  echo "A Secret of the user's that is named like a release that fails is left alone."
  local name="$prefix-lost" kept=no
  $KUBECTL --namespace "$namespace" create secret generic "$name" --from-literal=mine=yes
  submit install "$name" web 1.0.0 'service: {port: 70000}'
  ended
  sleep 20
  if $KUBECTL --namespace "$namespace" get secret "$name" --output name; then kept=yes; fi
  shows "20 s later the user's own Secret is there" "$kept"
}

step_unfetchable() {
  echo "A chart that is not there: accepted, then failed, with helm's text."
  submit install "$prefix-unfetchable" no-such-chart 1.0.0
  ended
  shows "failed, with its cause: ${cause:-none}" "$(yes_if test "$state" = failed -a -n "$cause")"
}

step_schema() {
  echo "Values that the chart's schema refuses: accepted, then failed, with helm's text."
  submit install "$prefix-schema" schema 1.0.0 'replicas: 99'
  ended
  shows "failed, with its cause: ${cause:-none}" "$(yes_if test "$state" = failed -a -n "$cause")"
}

step_missing() {
  echo "A release that does not exist."
  told GET "$api/namespaces/$namespace/releases/$prefix-none"
  shows "404 for a release that is not there" "$(yes_if test "$code" = 404)"
}

step_uninstall() {
  echo "An uninstall is followed to its end."
  submit install "$prefix-gone" web 1.0.0
  ended
  submit uninstall "$prefix-gone"
  ended
  shows "uninstalled, and said so" "$(yes_if test "$state" = succeeded)"
}

step_finalizer() {
  if [ -z "${KUBECTL:-}" ]; then echo "  skipped: KUBECTL is not set" && return; fi
  echo "An uninstall has a limit: a finalizer that nobody removes ends it with a cause."
  local name="$prefix-finalizer"
  submit install "$name" web 1.0.0
  ended
  $KUBECTL --namespace "$namespace" patch service "$name" --type merge --patch '{"metadata":{"finalizers":["example.org/nobody"]}}'
  submit uninstall "$name" "" "" "" ',"options":{"wait":true,"timeout":20}'
  ended
  shows "failed, with its cause: ${cause:-none}" "$(yes_if test "$state" = failed -a -n "$cause")"
  $KUBECTL --namespace "$namespace" patch service "$name" --type merge --patch '{"metadata":{"finalizers":null}}'
}

step_rollback() {
  echo "A rollback is answered like everything else: its hook of 8 s keeps nobody."
  local name="$prefix-rollback" values='fail: false, startup: {seconds: 8}, hook: pre-rollback' answered
  submit install "$name" hook-fails 1.0.0 "{$values}"
  ended
  submit upgrade "$name" hook-fails 1.0.0 "{$values, replicas: 3}"
  ended
  submit rollback "$name" "" "" "" ',"options":{"wait":false,"revision":1}'
  answered="$took"
  ended
  shows "the rollback's answer took $answered s" "$(yes_if test "$state" = succeeded)"
}

step_upgrades() {
  echo "Two upgrades at the same moment: one is done, the other learns which."
  submit install "$prefix-upgrades" web 1.0.0
  ended
  at_once "$(asked_for upgrade "$prefix-upgrades" web 1.1.0 'replicas: 2')" \
    "$(asked_for upgrade "$prefix-upgrades" web 1.1.0 'replicas: 3')"
  ended
  shows "of two upgrades at once one is accepted, the other refused: $codes" \
    "$(yes_if test "$(echo "$codes" | tr ' ' '\n' | sort | xargs)" = "202 409")"
}

step_hook() {
  echo "A hook of 45 s has helm's own 5 minutes."
  submit install "$prefix-hook" hook-fails 1.0.0 '{fail: false, startup: {seconds: 45}}'
  ended
  shows "a hook of 45 s is a success" "$(yes_if test "$state" = succeeded)"
}

step_history() {
  echo "helm's own limit to the history holds: 10 revisions."
  local name="$prefix-history" revision kept
  submit install "$name" web 1.0.0
  ended
  for revision in 2 3 4 5 6 7 8 9 10 11 12; do
    submit upgrade "$name" web 1.0.0 "replicas: $((revision % 2 + 1))" >/dev/null
    ended >/dev/null
  done
  ask GET "$api/namespaces/$namespace/releases/$name/history"
  kept="$(printf %s "$body" | grep -oE '"revision": *[0-9]+' | sort -u | wc -l | tr -d ' ')"
  shows "$kept revisions are kept after 12" "$(yes_if test "$kept" -le 10)"
}

step_list() {
  echo "All releases of the cluster in one answer (lists.sh has more of it)."
  WIDTH=60 told GET "$api/releases"
  shows "the list took $took s and has $size bytes" "$(yes_if test "$code" = 200)"
}

step_quota() {
  if [ -z "${RACE:-}" ]; then echo "  skipped: RACE is not set" && return; fi
  echo "The race on a quota (409 on each creation of a Service) passes after 4 s: it is tried again by then."
  bash -c "$RACE"
  submit install "$prefix-quota" web 1.0.0
  sleep 4
  bash -c "$CALM"
  ended
  shows "a race on a quota is a success in attempt $attempts" "$(yes_if test "$state" = succeeded)"
}

step_restart() {
  if [ -z "${RESTART:-}" ]; then echo "  skipped: RESTART is not set" && return; fi
  echo "The server is killed in mid-install: the install goes on, and the next server tells how it ended."
  submit install "$prefix-restart" hook-fails 1.0.0 '{fail: false, startup: {seconds: 25}}'
  sleep 2
  bash -c "$RESTART"
  until curl --silent --output /dev/null "$address"; do sleep 0.5; done
  ended
  shows "the install goes on and is told as $state, in attempt $attempts" "$(yes_if test "$state" = succeeded)"
}

ask GET "$api/releases?namespace=$namespace"
if [ "$code" != 200 ]; then
  echo "The releases of $namespace cannot be read through $address: $code" >&2
  exit 1
fi
take "${steps[@]}"
