# What the commands of answers/*.txt may call.

# All that a store says: `everything --store copy`.
everything() {
  oscope "$@" list bugs --json
  oscope "$@" list runs --limit 0 --json
  oscope "$@" export --quiet --with-input | LC_ALL=C sort
  oscope "$@" similar Stack-4 --json
}

# The same without the attributes of events, of which a segment of format 1 keeps only the first: what a store says that was written anew, in other
# segments. Nor does it say when runs were stored, which is now.
everything_but_attributes() {
  oscope "$@" list bugs --json
  oscope "$@" export --quiet --with-input | python3 -c '
import json, sys
for line in sys.stdin:
    value = json.loads(line)
    value["events"] = [event.get("event", event) if isinstance(event, dict) else event for event in value.get("events", [])]
    print(json.dumps(value))' | LC_ALL=C sort
  oscope "$@" similar Stack-4 --json
}

# A JSON answer of a query without its statistics, which have times.
without_stats() { grep -v '^"stats": '; }

# The ids of the runs of `oscope list runs --json`, a line each.
json_ids() { python3 -c 'import json, sys; print(*(run["id"] for run in json.load(sys.stdin)["runs"]), sep="\n")'; }

# A run as JSON, with the number of what is missing to repeat it, whose words may change, and without the directory of the day.
how_many_are_missing() {
  python3 -c '
import json, os, sys
run = json.loads(sys.stdin.read().replace(os.getcwd(), "."))
run["repeat"]["missing"] = len(run["repeat"]["missing"])
print(json.dumps(run, indent=1))'
}
