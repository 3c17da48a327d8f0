#!/usr/bin/env bash
# Prints the suites that have one of these tags, and the tests of other suites, in order of their names; each as a regular
# expression for --filter and --skip.
#
# usage: tagged.sh TAG...
#
# Swift Testing takes --filter tag:NAME only from 6.4 on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

list=$(mktemp)
trap 'rm -f "$list"' EXIT
tests=$(script/test.d/build)/overcrankPackageTests.xctest
SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED=1 "$tests" --testing-library swift-testing --list-tests \
    --event-stream-output-path "$list" --event-stream-version 0 >/dev/null
for tag; do
    names=$(sed -n '/"_tags":\[[^]]*"\.'"$tag"'"/ s/.*"id":"\([^"]*\)".*/\1/p' "$list")
    [[ -n $names ]] || { echo "script/test: no test has the tag \"$tag\"" >&2; exit 1; }
    sed 's/\\//g; s/[().]/\\&/g; s/^/^/' <<<"$names"
done | LC_ALL=C sort -u | awk -F / 'NF == 1 { suites[$1] } NF == 1 || !($1 in suites)'
