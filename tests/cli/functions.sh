# What the commands of a .test file may call.

# The store as a user who may not write to it: root may write anywhere.
unprivileged() {
  if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi
}

# One value of a JSON answer on standard input: `json .runs[0].id`, in Python's notation.
json() { python3 -c 'import json, sys; print(eval("value" + sys.argv[1], {"value": json.load(sys.stdin), "len": len}))' "$1"; }

# What bash would offer for the words given: `offers oscope sto`.
offers() {
  source <(oscope completion bash)
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _oscope
  printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort
}

# A text with one failing run: run_text MESSAGE
run_text() {
  printf '{"type":"run","project":"Demo","test":"t","outcome":"failed","message":"%s","traces":[{"kind":"stack","events":["main","net::Socket::read","abort"],"mark":{"events":3,"reason":"abort"}}]}\n' "$1"
}

# A command on a terminal where somebody answers its question: `answering y oscope bug delete Demo-1`. Prints what the terminal shows.
answering() {
  python3 - "$@" <<'END'
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown, answered = b"", False
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:  # the command has ended
        break
    if not piece:
        break
    shown += piece
    if not answered and shown.endswith(b"] "):
        os.write(terminal, sys.argv[1].encode() + b"\n")
        answered = True
sys.stdout.write(shown.decode().replace("\r\n", "\n"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
END
}
