#!/usr/bin/env bash
# Sends the requests that show the faults of an OpenShift console's asynchronous Helm endpoints, and prints what came back.
# docs/design/backend.md says what each step is about; the faults were found at commit da1f132 of openshift/console, and
# console.txt is what was seen there.
#
#   docs/evidence/console.sh ADDRESS NAMESPACE CHARTS [STEP…]
#
#   ADDRESS    the running console's, as http://127.0.0.1:9000
#   NAMESPACE  an existing namespace: everything is made there, under names of its own, but for a repository of the cluster's that
#              the step bad-repository has for a moment
#   CHARTS     where the console itself can fetch this project's sample charts, as http://127.0.0.1:8879:
#              docs/evidence/charts.py "$(testbed/charts.sh)" 8879
#              The hooks of these take their time on the simulated node of this project's clusters; elsewhere they end at once,
#              and the steps sync, rollback, hook and restart show nothing. `cargo run -p testbed --example weather -- --openshift`
#              starts such a cluster, with OpenShift's kinds of repositories, which the steps sync, keys and bad-repository need.
#   STEP       which steps to take; else all
#
#   COOKIE     cookies of a session, where the console asks for one (openshift-session-token=…)
#   INSECURE   yes: take any certificate
#   SLOW       the same charts from a slow repository, for the step slow: docs/evidence/charts.py "$(testbed/charts.sh)" 8880 1
#   RESTART    a command that kills the console's backend and starts it again, for the step restart
#   RACE       a command that makes each creation of a Service meet the race on a quota, and CALM one that ends it, for the step
#              quota: `quota` and `clear`, written to the example weather
#   TEMPORARY  the folder of the console's temporary files, for the step keys
#   CLEAN      yes: delete at the end what was made; else it is only said what there is to delete
#
# It needs bash, curl and the usual text tools. It ends with 1 if the console cannot be asked, and with 0 whatever it shows.
set -euo pipefail
# shellcheck source=docs/evidence/requests.sh
. "$(dirname "${BASH_SOURCE[0]}")/requests.sh"

if [ $# -lt 3 ]; then usage "$0"; fi
address="${1%/}" namespace="$2" charts="${3%/}"
shift 3
steps=("$@")
if [ ${#steps[@]} -eq 0 ]; then
  steps=(answer slow long sync duplicate twice refused lost-secret unfetchable schema missing uninstall finalizer rollback
    upgrades hook history list bad-repository identity keys quota restart)
fi
made=()
secrets="/api/kubernetes/api/v1/namespaces/$namespace/secrets"
repositories="/api/kubernetes/apis/helm.openshift.io/v1beta1/namespaces/$namespace/projecthelmchartrepositories"
shared=/api/kubernetes/apis/helm.openshift.io/v1beta1/helmchartrepositories

secret() { ask GET "$secrets/$1"; }
release() { ask GET "/api/helm/release?ns=$namespace&name=$1"; }

# by_url NAME CHART [VALUES] [CHARTS]: the body of an install by URL, without a repository.
by_url() {
  echo "{\"namespace\":\"$namespace\",\"name\":\"$1\",\"chart_url\":\"${4:-$charts}/$2.tgz\",\"noRepo\":true,\"values\":${3:-{\}}}"
}

# install NAME CHART [VALUES] [CHARTS]
install() {
  made+=("$1")
  told POST /api/helm/release/async "$(by_url "$@")"
}

# upgrade NAME CHART VALUES
upgrade() {
  told PUT /api/helm/release/async \
    "{\"namespace\":\"$namespace\",\"name\":\"$1\",\"chart_url\":\"$charts/$2.tgz\",\"values\":$3}"
}

# at_once METHOD BODY BODY: two requests to release/async at the same moment; their codes are left in `codes`.
at_once() {
  local method="$1" one
  shift
  for one in 1 2; do
    curl --silent --insecure --max-time 120 --request "$method" --output "$work/at-once-$one" --write-out '%{http_code}' \
      --header "X-CSRFToken: $token" --header "Cookie: csrf-token=$token${COOKIE:+; $COOKIE}" \
      --header "Content-Type: application/json" --data "${!one}" "$address/api/helm/release/async" >"$work/code-$one" &
  done
  wait
  codes="$(cat "$work/code-1") $(cat "$work/code-2")"
  echo "  < $codes"
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

# is_known PATH WHY: whether the cluster has what a step needs.
is_known() {
  ask GET "$1"
  if [ "$code" != 200 ]; then echo "  skipped: $2 ($code)" && return 1; fi
}

# repository NAME URL [CONNECTION]: a chart repository of the namespace's.
repository() {
  told POST "$repositories" "{\"apiVersion\":\"helm.openshift.io/v1beta1\",\"kind\":\"ProjectHelmChartRepository\",\"metadata\":{\"name\":\"$1\"},\"spec\":{\"connectionConfig\":{\"url\":\"$2\"${3:-}}}}"
}

step_answer() {
  echo "The chart is fetched and rendered before the answer: five small ones from CHARTS."
  local times=() run
  for run in 1 2 3 4 5; do
    install "$prefix-answer-$run" web-1.0.0
    times+=("$took")
    settled "$prefix-answer-$run" 1
  done
  shows "an install of a small chart is answered after ${times[*]} s" "$(yes_if test "$ended" = deployed)"
}

step_slow() {
  if [ -z "${SLOW:-}" ]; then echo "  skipped: SLOW is not set" && return; fi
  echo "The same, from a repository whose every answer comes a second late."
  install "$prefix-slow" web-1.1.0 "" "${SLOW%/}"
  shows "the same from a slow repository is answered after $took s" "$(yes_if test "${took%%.*}" -ge 1)"
}

step_long() {
  echo "A chart of 46 sub-charts, whose pre-install hook comes first."
  install "$prefix-long" platform-2026.2.0
  local answered="$took"
  settled "$prefix-long" 1
  shows "46 sub-charts are answered after $answered s" "$(yes_if test "$ended" = deployed)"
}

step_sync() {
  is_known "$repositories" "the cluster does not know OpenShift's repositories" || return 0
  echo "The synchronous form is answered when helm is done: a pre-install hook of 12 s keeps the request for as long."
  repository "$prefix-sync" "$charts"
  made+=("$prefix-sync")
  told POST /api/helm/release \
    "{\"namespace\":\"$namespace\",\"name\":\"$prefix-sync\",\"chart_url\":\"$charts/hook-fails-1.0.0.tgz\",\"indexEntry\":\"hook-fails--$prefix-sync\",\"values\":{\"fail\":false,\"startup\":{\"seconds\":12}}}"
  shows "the synchronous answer took $took s" "$(yes_if test "$code" = 200 -a "${took%%.*}" -ge 10)"
  ask DELETE "$repositories/$prefix-sync"
}

step_duplicate() {
  echo "A name that is in use: helm refuses it, and the console answers 201 with the old release's Secret."
  install "$prefix-duplicate" web-1.0.0
  local first answered
  first="$(field uid)"
  settled "$prefix-duplicate" 1
  install "$prefix-duplicate" web-1.1.0
  answered="$code after $took s"
  shows "$answered with the old Secret for an install that was not done" \
    "$(yes_if test "$code" = 201 -a -n "$first" -a "$(field uid)" = "$first")"
}

step_twice() {
  echo "Two installs of one name at the same moment: one is done."
  made+=("$prefix-twice")
  at_once POST "$(by_url "$prefix-twice" web-1.0.0)" "$(by_url "$prefix-twice" web-1.1.0)"
  settled "$prefix-twice" 1
  shows "both of two installs at once are told success" "$(yes_if test "$codes" = "201 201")"
}

step_refused() {
  echo "An object that the API server refuses (a port of 70000): the answer is 201 all the same."
  install "$prefix-refused" web-1.0.0 '{"service":{"port":70000}}'
  local answered="$code"
  settled "$prefix-refused" 1
  shows "201 for an install that failed" "$(yes_if test "$answered" = 201 -a "$ended" = failed)"
  secret "$prefix-refused"
  echo "  a Secret named like the release: $code, with the label owner=$(field owner)"
  shows "for 15 s a Secret named like the release holds the error" "$(yes_if test "$code" = 200)"
  ask GET "$secrets?labelSelector=owner%3Dhelm,name%3D$prefix-refused"
  local counted
  counted="$(items)"
  shows "by its labels there are $counted records of one revision" "$(yes_if test "$counted" = 2)"
}

step_lost-secret() {
  echo "A Secret of the user's that is named like a release that fails: it is deleted 15 s after the failure."
  local name="$prefix-lost"
  told POST "$secrets" \
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
  echo "The uninstall begins before it is looked at whether the release exists, by the revision that the browser saw last: with"
  echo "another one the answer is 404, although the release goes."
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

step_finalizer() {
  echo "An uninstall waits for its objects without a limit: a finalizer that nobody removes keeps the synchronous request."
  local name="$prefix-finalizer" service
  install "$name" web-1.0.0
  settled "$name" 1
  service="/api/kubernetes/api/v1/namespaces/$namespace/services/$name"
  TYPE=application/merge-patch+json ask PATCH "$service" '{"metadata":{"finalizers":["example.org/nobody"]}}'
  echo "  a finalizer on the release's Service: $code"
  LIMIT=70 told DELETE "/api/helm/release?ns=$namespace&name=$name"
  local answered="$code" waited="$took"
  secret "sh.helm.release.v1.$name.v1"
  echo "  helm's record then: $(field status)"
  shows "an uninstall has no answer after $waited s" "$(yes_if test "$answered" = 000 -a "$(field status)" = uninstalling)"
  TYPE=application/merge-patch+json ask PATCH "$service" '{"metadata":{"finalizers":null}}'
}

step_rollback() {
  echo "A rollback is answered when it is over: a hook of 8 s keeps the request for as long."
  local name="$prefix-rollback" values='"fail":false,"startup":{"seconds":8},"hook":"pre-rollback"'
  install "$name" hook-fails-1.0.0 "{$values}"
  settled "$name" 1
  upgrade "$name" hook-fails-1.0.0 "{$values,\"replicas\":3}"
  settled "$name" 2
  WIDTH=80 told PATCH /api/helm/release "{\"namespace\":\"$namespace\",\"name\":\"$name\",\"version\":1}"
  shows "the rollback's answer took $took s" "$(yes_if test "${took%%.*}" -ge 5)"
}

step_upgrades() {
  echo "Two upgrades at the same moment, ten times: each of the two may be answered with the other's record."
  local name="$prefix-upgrades" pair revision=1 both=0 done
  install "$name" web-1.0.0
  settled "$name" 1
  local upgrade="{\"namespace\":\"$namespace\",\"name\":\"$name\",\"chart_url\":\"$charts/web-1.1.0.tgz\",\"values\":{\"replicas\":"
  for pair in 1 2 3 4 5 6 7 8 9 10; do
    at_once PUT "${upgrade}2}}" "${upgrade}3}}"
    sleep 3
    ask GET "$secrets?labelSelector=owner%3Dhelm,name%3D$name,status"
    done=$(($(items) - revision)) revision="$(items)"
    if [ "$codes" = "201 201" ] && [ "$done" = 1 ]; then both=$((both + 1)); fi
  done
  shows "of ten pairs of upgrades, $both were both told success with one of them done" "$(yes_if test "$both" -gt 0)"
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
    upgrade "$name" web-1.0.0 "{\"replicas\":$((revision % 2 + 1))}" >/dev/null
    settled "$name" "$revision" >/dev/null
  done
  ask GET "$secrets?labelSelector=owner%3Dhelm,name%3D$name"
  kept="$(items)"
  shows "$kept revisions are kept after 12" "$(yes_if test "$kept" -gt 10)"
}

step_list() {
  echo "All releases of the cluster in one answer: each record is read and decoded, at each visit (lists.sh has more of it)."
  WIDTH=60 told GET "/api/helm/releases?limitInfo=true"
  shows "the list took $took s and has $size bytes" "$(yes_if test "$code" = 200)"
}

step_bad-repository() {
  is_known "$shared" "the cluster does not know OpenShift's repositories" || return 0
  echo "A repository of the cluster's without an index ends an install that has nothing to do with it, also when it is disabled."
  local answers=() disabled
  made+=("$prefix-unlucky")
  for disabled in false true; do
    told POST "$shared" "{\"apiVersion\":\"helm.openshift.io/v1beta1\",\"kind\":\"HelmChartRepository\",\"metadata\":{\"name\":\"$prefix-bad\"},\"spec\":{\"connectionConfig\":{\"url\":\"$charts/nothing-is-here\"},\"disabled\":$disabled}}"
    WIDTH=250 told POST /api/helm/release/async \
      "{\"namespace\":\"$namespace\",\"name\":\"$prefix-unlucky\",\"chart_url\":\"$charts/web-1.0.0.tgz\",\"values\":{}}"
    answers+=("$code $(printf %s "$body" | grep -c "index file of repository" || true)")
    ask DELETE "$shared/$prefix-bad"
  done
  shows "somebody else's bad repository ends an install, disabled or not" "$(yes_if test "${answers[*]}" = "502 1 502 1")"
}

step_identity() {
  echo "Who is asked for is not who acts: a user without any right, impersonated, and the same request without."
  HEADER="Impersonate-User: $prefix-nobody" ask GET "$secrets"
  local kubernetes="$code"
  HEADER="Impersonate-User: $prefix-nobody" ask GET "/api/helm/releases?ns=$namespace&limitInfo=true"
  echo "  Secrets as nobody: $kubernetes; releases as nobody: $code, $size bytes"
  shows "helm's calls ignore who is impersonated" "$(yes_if test "$kubernetes" = 403 -a "$code" = 200)"
}

step_keys() {
  if [ -z "${TEMPORARY:-}" ]; then echo "  skipped: TEMPORARY is not set" && return; fi
  is_known "$repositories" "the cluster does not know OpenShift's repositories" || return 0
  if ! command -v openssl >/dev/null; then echo "  skipped: there is no openssl" && return; fi
  echo "A repository's client key is written to a temporary file, and an upgrade leaves it there."
  local name="$prefix-keys" before after
  openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=evidence -keyout "$work/key" -out "$work/crt" 2>/dev/null
  ask POST "$secrets" "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"$name-tls\"},\"data\":{\"tls.crt\":\"$(base64 <"$work/crt" | tr -d '\n')\",\"tls.key\":\"$(base64 <"$work/key" | tr -d '\n')\"}}"
  repository "$name" "$charts" ",\"tlsClientConfig\":{\"name\":\"$name-tls\"}"
  install "$name" web-1.0.0
  settled "$name" 1
  before="$(find "$TEMPORARY" -maxdepth 1 -name 'tlskey-*' | wc -l | tr -d ' ')"
  told PUT /api/helm/release/async \
    "{\"namespace\":\"$namespace\",\"name\":\"$name\",\"chart_url\":\"$charts/web-1.1.0.tgz\",\"indexEntry\":\"web--$name\",\"values\":{}}"
  settled "$name" 2
  sleep 2
  after="$(find "$TEMPORARY" -maxdepth 1 -name 'tlskey-*' | wc -l | tr -d ' ')"
  shows "$((after - before)) private keys stay behind one upgrade" "$(yes_if test "$after" -gt "$before")"
  ask DELETE "$repositories/$name"
  ask DELETE "$secrets/$name-tls"
}

step_quota() {
  if [ -z "${RACE:-}" ]; then echo "  skipped: RACE is not set" && return; fi
  echo "The race on a quota (409 on each creation of a Service) passes after 4 s: the install has failed by then."
  bash -c "$RACE"
  install "$prefix-quota" web-1.0.0
  local answered="$code"
  sleep 4
  bash -c "$CALM"
  settled "$prefix-quota" 1
  shows "a race on a quota is a failure, told as $answered" "$(yes_if test "$ended" = failed)"
}

step_restart() {
  if [ -z "${RESTART:-}" ]; then echo "  skipped: RESTART is not set" && return; fi
  echo "The backend is killed in mid-install: the record stays pending, nothing ends or explains it, and helm refuses an upgrade."
  local name="$prefix-restart" until=$((SECONDS + 60)) status
  install "$name" hook-fails-1.0.0 '{"fail":false,"startup":{"seconds":25}}'
  bash -c "$RESTART"
  until curl --silent --insecure --output /dev/null "$address" || [ $SECONDS -ge $until ]; do sleep 1; done
  sleep 60
  secret "sh.helm.release.v1.$name.v1"
  status="$(field status)"
  echo "  helm's record a minute later: $status"
  upgrade "$name" hook-fails-1.0.0 '{"fail":false}'
  shows "pending for ever, and an upgrade is refused with $code" "$(yes_if test "$status" = pending-install -a "$code" != 201)"
}

ask GET "/api/kubernetes/api/v1/namespaces/$namespace"
if [ "$code" != 200 ]; then
  echo "The namespace $namespace cannot be read through $address: $code $(printf %s "$body" | cut -c 1-200)" >&2
  exit 1
fi
take "${steps[@]}"

echo
for name in $(printf '%s\n' ${made[@]+"${made[@]}"} | sort -u); do
  for path in "/api/helm/release?ns=$namespace&name=$name" "$secrets/$name"; do
    if [ "${CLEAN:-}" = yes ]; then
      ask DELETE "$path"
    else
      echo "would delete: $path"
    fi
  done
done
if [ "${CLEAN:-}" != yes ]; then echo "CLEAN=yes deletes it."; fi
