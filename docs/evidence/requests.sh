# shellcheck shell=bash
# What console.sh, slipway.sh and lists.sh share: asking, reading an answer, and the table of what was shown. Sourced, never run.

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# The console compares a cookie with a header, and nothing else: any value will do.
token="evidence-$$"
prefix="ev-$(($(date +%s) % 100000))"
verdicts=()
code=000 body="" took=0 size=0

# ask METHOD PATH [BODY]: asks `address`, and leaves the answer in `code`, `body`, `took` (seconds) and `size` (bytes). With
# LIMIT it waits for so many seconds; what is not answered by then has the code 000.
ask() {
  local method="$1" path="$2" data="${3:-}"
  local options=(--silent --max-time "${LIMIT:-180}" --request "$method" --output "$work/body")
  options+=(--header "X-CSRFToken: $token" --header "Cookie: csrf-token=$token${COOKIE:+; $COOKIE}")
  if [ -n "${HEADER:-}" ]; then options+=(--header "$HEADER"); fi
  if [ "${INSECURE:-}" = yes ]; then options+=(--insecure); fi
  if [ -n "$data" ]; then options+=(--header "Content-Type: ${TYPE:-application/json}" --data "$data"); fi
  : >"$work/body"
  curl "${options[@]}" --write-out '%{http_code} %{time_total} %{size_download}\n' "$address$path" >"$work/said" || true
  read -r code took size <"$work/said"
  took="$(printf %.3f "$took")"
  if [ "$code" = 000 ] && [ -z "${LIMIT:-}" ]; then echo "no answer from $address$path" >&2 && exit 1; fi
  body="$(head -c 2000000 "$work/body" | tr -d '\0')"
}

# told METHOD PATH [BODY]: the same, and says both.
told() {
  echo "  > $1 $2${3:+ $3}"
  ask "$@"
  echo "  < $code after $took s, $size bytes: $(printf %s "$body" | tr '\n' ' ' | cut -c 1-"${WIDTH:-110}")"
}

# field NAME: the first string, number or null of that name in the answer.
field() {
  printf %s "$body" | tr '\n' ' ' | grep -oE "\"$1\": *(\"(\\\\.|[^\"\\\\])*\"|[0-9]+|null)" | head -1 |
    sed "s/^\"$1\": *//; s/^\"//; s/\"\$//" || true
}

# items: how many objects the list in the answer has.
items() { { printf %s "$body" | grep -o '"uid":' || true; } | wc -l | tr -d ' '; }

# shows WHAT YES|NO: what a step was to show, and whether it did.
shows() {
  verdicts+=("$2|$step|$1")
  echo "  = $1: $2"
}
yes_if() { if "$@"; then echo yes; else echo no; fi; }

# take STEP…: takes the steps, and says what they showed.
take() {
  local verdict shown what
  for step in "$@"; do
    if ! declare -F "step_$step" >/dev/null; then
      echo "There is no step $step" >&2
      exit 2
    fi
    echo
    echo "== $step"
    "step_$step"
  done
  echo
  echo "| shown | step | what |"
  echo "| --- | --- | --- |"
  for verdict in ${verdicts[@]+"${verdicts[@]}"}; do
    IFS='|' read -r shown step what <<<"$verdict"
    echo "| $shown | $step | $what |"
  done
}

# usage SCRIPT: the comment at its top.
usage() {
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$1"
  exit 2
}
