#!/bin/bash
# Makes the golden store of format 2: usage: make_golden_2.sh OSCOPE STORE.tar.gz
#
# As make_golden.sh, which says how such a store is made and why it stays. This one has what format 2 brought: symbols of two programs that both have a
# `main`, what a run needs to be repeated, attachments, who made a revision and why, the numbers of bugs that are gone.
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
cd $place
cp "$here"/programs/*.c "$here"/texts/{gdb,asan}.txt "$here"/texts/fix.diff .
mkdir build
for program in lines stack; do gcc -g -O0 -ffile-prefix-map=$place=. -o build/$program $program.c; done
quietly() { env -i PATH=/usr/bin:/bin HOME=$place GIT_CONFIG_NOSYSTEM=1 GIT_COMMITTER_DATE=2026-01-02T03:04:05Z GIT_AUTHOR_DATE=2026-01-02T03:04:05Z git -c user.name=tests -c user.email=tests@localhost "$@" >/dev/null; }
quietly init
quietly add lines.c stack.c
quietly commit -m 'two programs'
oscope() { env -i PATH=/usr/bin:/bin HOME=$place TMPDIR=$place LC_ALL=C.UTF-8 USER=ann LOGNAME=ann OSCOPE_BY=ann OSCOPE_STORE=$place/store "$oscope" "$@"; }
failing() { if oscope "$@"; then echo "expected a failure: $*" >&2; exit 1; fi; }
newest_run() { oscope list runs --limit 1 --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["runs"][0]["id"])'; }

oscope init --store $place/store
printf 'a=1\nb\nc=3\n' > bad.txt
cd build
failing trace --project Golden --test lines.bad --version 1.0 -- ./lines ../bad.txt
cd ..
oscope attachment add "$(newest_run)" bad.txt --kind input --name 'the file'
printf '+' | failing trace --project Golden --test stack.empty --version 2.0 -- build/stack
printf '// a change\n' >> stack.c
printf '1 2 +' | oscope trace --project Golden --test stack.add --version 2.1 -- build/stack
printf 'secret' | oscope trace --project Golden --test stack.add --version 2.1 --no-input -- build/stack --password=hidden || true
oscope store compact

oscope import --project Golden gdb.txt asan.txt
oscope bug edit Golden-1 --severity minor --field component=reader --by bob --why 'seen twice'
oscope bug comment Golden-1 --text 'Happens with an empty line, too.'
oscope bug fix Golden-2 --diff fix.diff --note 'The stack may be empty.' --author ann
oscope bug add --project Golden --title 'The same as the first one' --created 2026-05-03T10:00:00Z
oscope bug duplicate Golden-5 Golden-1
printf 'a note\n' | oscope attachment add Golden-1 - --name note
printf 'a\0picture\377' | oscope attachment add Golden-2 - --name 'screen shot' --kind 'picture-of-later'
oscope attachment add Golden-2 bad.txt
gone=$(oscope bug add --project Golden --title 'A report that goes')
oscope bug delete "$gone" --yes
oscope bug link Golden-2 "$(newest_run)"
oscope store collect
oscope store check

if oscope export --quiet --with-input | grep -nE "/home|/root|/work|$(hostname)|$here"; then echo "the store names this machine" >&2; exit 1; fi
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=2026-01-01 -cf - store | gzip -9n > "$archive"
ls -l "$archive"
