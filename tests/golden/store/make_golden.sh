#!/bin/bash
# Makes the golden store: usage: make_golden.sh OSCOPE STORE.tar.gz
#
# It was run once, and its result must stay: README.md says why. This script is kept to tell what the store holds and how it came there, and as a
# beginning for a second golden store when there is a second format. Needs gcc and what `oscope trace` needs.
#
# No path, user or host of the machine gets into the store: all of it happens in /tmp/golden, with an empty environment.
set -euo pipefail
if [ $# != 2 ]; then sed -n 2p "$0"; exit 2; fi
here=$(cd "$(dirname "$0")" && pwd)
oscope=$(realpath "$1")
archive=$(realpath "$2")
place=/tmp/golden
if [ -e $place ]; then echo "$place is there already: remove it first" >&2; exit 1; fi
if [ -e "$archive" ]; then echo "$archive is there already: a golden store is never made anew" >&2; exit 1; fi
mkdir $place
trap 'rm -rf $place' EXIT
cp "$here"/programs/*.c "$here"/texts/* $place
for text in chrome/object glibc/assertion perf/flat uftrace/threads thesis/beanutils; do cp "$here/../import/$text.txt" "$place/${text%/*}.txt"; done
cd $place
for program in lines stack; do gcc -g -O0 -ffile-prefix-map=$place=. -o $program $program.c; done

oscope() { env -i PATH=/usr/bin:/bin HOME=$place TMPDIR=$place LC_ALL=C.UTF-8 OSCOPE_STORE=$place/store "$oscope" "$@"; }
# A run that fails gives its own exit code.
failing() { if oscope "$@"; then echo "expected a failure: $*" >&2; exit 1; fi; }

oscope init --store $place/store
oscope query "CREATE QUERY near(bug, d = 5) AS SELECT b FROM ALL WHERE INTERSECT?(b, :bug, :d);
              CREATE QUERY readers AS SELECT b, b.title FROM ALL WHERE INTERSECT?(b, \"net::Socket::read\")"

# Recorded: two programs with a `main` each, inputs from a file and from standard input, passing and failing, methods and statements.
printf 'a=1\nb=2\n' > good.txt
printf 'a=1\nb\nc=3\n' > bad.txt
oscope trace --project Lines --test lines.good --version 1.0 -- ./lines good.txt
failing trace --project Lines --test lines.bad --version 1.0 --title 'A line without a sign ends the program' -- ./lines bad.txt
failing trace --project Lines --test lines.bad --version 1.1 --bug Lines-1 --granularity statement -- ./lines bad.txt
printf '1 2 + +' | failing trace --project Stack --test stack.add --version 2.0 --title 'Adding with one number' --query near -- ./stack
printf '+' | failing trace --project Stack --test stack.empty --version 2.0 --title 'Adding with no number' --no-query -- ./stack
printf '1 2 +' | oscope trace --project Stack --test stack.add --version 2.0 -- ./stack
printf '7 8 +' | oscope trace --project Stack --test stack.values --version 2.0 --granularity block --values 'push,pop' -- ./stack

# Imported, in many formats.
oscope import --project Stack --bug Stack-1 --test stack.core gdb.txt
oscope import --project Lines --bug Lines-2 --test lines.table --version 1.2 asan.txt
oscope import --project Report --bug Report-1 --test ReportTest.write java.txt
oscope import --project Report --bug Report-2 --test report python.txt
oscope import --project Net --bug Net-1 --outcome failed collapsed.txt
oscope import --project Net --bug Net-3 --test net.perf --outcome failed perf.txt
oscope import --project Net --bug Net-4 --test net.threads --outcome timeout uftrace.txt
oscope import --project Lines --test lines.glibc --no-bug glibc.txt
oscope import --project Page --test page.load --outcome passed chrome.txt
oscope import --project Beanutils thesis.txt
oscope import odd.jsonl
oscope store compact

# Edited, linked, decided.
oscope bug edit Lines-1 --severity major --reporter ann --field component=reader --field 'seen by=two people' --created 2024-05-01
oscope bug edit Lines-1 --severity minor --field 'seen by='
oscope bug comment Lines-1 --author bob --text 'Happens with an empty line, too.'
oscope bug comment Lines-1 --text $'Two lines:\nthe second one.'
oscope bug fix Stack-1 --diff fix.diff --note 'The stack may be empty.' --author ann
oscope bug add --project Stack --title 'Adding twice' --text 'The same as the first one.' --created 2024-05-03T10:00:00Z
oscope bug duplicate Stack-3 Stack-1
oscope bug close Stack-3
oscope bug close Report-1 --resolved
oscope bug reopen Report-1
oscope bug fix Report-2 --note 'The head is counted from the first row.' --keep-open
oscope bug link Odd-2 0dd00000000000000000000000000004
oscope bug unlink Odd-2 0dd00000000000000000000000000004
oscope bug link Odd-1 0dd00000000000000000000000000004
oscope clusters merge Odd-1 Odd-2
oscope store quota --max-bytes 1G --max-runs 10000

# Purged: a bug with its runs, one run of a bug that stays, and a deleted report.
sed 's/stack/gone/' gdb.txt > gone-gdb.txt
sed 's/report/gone/' python.txt > gone-python.txt
oscope import --project Net --bug Net-2 --test net.gone.bug gone-gdb.txt
oscope import --project Net --bug Net-1 --test net.gone gone-python.txt
oscope store purge --bug Net-2 --yes
oscope store purge --run "$(oscope list runs --test net.gone --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["runs"][0]["id"])')" --yes
report=$(oscope bug add --project Net --title 'A report that goes' --text 'gone')
oscope bug delete "$report" --yes
oscope store compact

# After the compaction: more segments.
printf '4 5 + + 6' | failing trace --project Stack --test stack.add --version 2.1 --title 'Adding with one number, again' -- ./stack
oscope bug comment Stack-2 --author ann --text 'Still there in 2.1.'
sed 's/erase/clear/' asan.txt > asan-clear.txt
oscope import --project Lines --bug Lines-3 --test lines.table --version 1.3 --outcome signal asan-clear.txt
oscope bug edit Lines-3 --title 'Another use after free' --status open --url https://example.org/lines/3
oscope store collect
oscope store check

# The tables are compressed, so it is the text of all that they hold that is searched.
if oscope export --quiet --with-input | grep -nE "/home|/root|/work|$(hostname)|$here"; then echo "the store names this machine" >&2; exit 1; fi
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=2026-01-01 -cf - store | gzip -9n > "$archive"
ls -l "$archive"
