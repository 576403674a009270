"""Runs small programs under our Valgrind tool and reads what they leave: for the tests of this folder."""
import os
import pathlib
import shutil
import subprocess

import raw_dump

PROGRAMS = pathlib.Path(__file__).parent / "programs"
DEADLINE_SECONDS = 120
# Only the program's own code: what the compiler and the loader add is no doing of it.
OWN_CODE = [("leave-out", "object", "*"), ("keep", "object", "*/oscope-programs-*"), ("leave-out", "name", "_*"),
            ("leave-out", "name", "*_tm_clones"), ("leave-out", "name", "frame_dummy")]


def launcher():
    """Valgrind's launcher. Debian's `valgrind` is a script that sets variables for the program's libraries; what it starts does not."""
    return shutil.which("valgrind.bin") or "valgrind"


class Recorder:
    """Compiles programs into `directory` once and records runs of them there."""

    def __init__(self, tool_directory, directory):
        self.tool_directory, self.directory, self.runs = pathlib.Path(tool_directory).resolve(), pathlib.Path(directory), 0

    def compile(self, source, *flags):
        """The binary of programs/SOURCE: at -O0 with debug information unless the flags say otherwise."""
        name = "-".join(["oscope-programs", pathlib.Path(source).stem, *flags]).replace("=", "").replace("/", "")
        binary = self.directory / name
        if not binary.exists():
            compiler = "g++" if source.endswith(".cc") else "gcc"
            subprocess.run([compiler, "-g", "-O0", "-pthread", *flags, PROGRAMS / source, "-o", binary], check=True)
        return binary

    def command(self, recording, command):
        return [launcher(), "-q", "--tool=oscope", "--trace-children=yes", f"--log-file={recording}/log.%p",
                f"--recording={recording}", *map(str, command)]

    def environment(self, base=None):
        return dict(os.environ if base is None else base, VALGRIND_LIB=str(self.tool_directory))

    def new_recording(self, settings, process_limit=64):
        self.runs += 1
        return raw_dump.make_recording(self.directory / f"recording{self.runs}", settings, process_limit)

    def record(self, command, settings=(), own_code=True, process_limit=64, **options):
        """Runs `command` under the tool with `settings` behind the lines for OWN_CODE. Returns (finished process, recording)."""
        recording = self.new_recording([*(OWN_CODE if own_code else []), *settings], process_limit)
        options.setdefault("env", self.environment())
        done = subprocess.run(self.command(recording, command), capture_output=True, timeout=DEADLINE_SECONDS, **options)
        return done, recording

    def process(self, command, settings=(), ordinal=0, **options):
        """The recorded process `ordinal` of such a run."""
        return raw_dump.Process(self.record(command, settings, **options)[1], ordinal)


def told(done, recording):
    """What there is to understand a run that ended otherwise than it should have: the program's streams and the tool's logs."""
    parts = [f"exit code {done.returncode}", f"stdout: {done.stdout!r}", f"stderr: {done.stderr!r}"]
    for log in sorted(pathlib.Path(recording).glob("log.*")):
        parts.append(f"{log.name}:\n{log.read_text(errors='replace')}")
    return "\n".join(parts)


def entries(process, thread=None):
    return [str(record.site) for record in process.records() if record.kind == "entry" and thread in (None, record.thread)]


def depths(process, thread=0):
    """(depth, name) of each entry: what was entered at a lower or equal address of the stack has been left."""
    stack, result = [], []
    for record in process.records():
        if record.kind != "entry" or record.thread != thread:
            continue
        while stack and stack[-1] <= record.sp:
            stack.pop()
        result.append((len(stack), str(record.site)))
        stack.append(record.sp)
    return result


def function_names(sites, binary):
    """The functions that hold the sites, by addr2line; those of other objects are "?"."""
    own = [site for site in sites if site.object_path == str(binary)]
    output = subprocess.run(["addr2line", "-f", "-e", binary, *(f"{site.vaddr:x}" for site in own)], check=True, capture_output=True,
                            text=True).stdout.splitlines()[::2] if own else []
    names = iter(output)
    return [next(names) if site.object_path == str(binary) else "?" for site in sites]


def lines(sites, binary):
    """The source lines of the sites."""
    output = subprocess.run(["addr2line", "-e", binary, *(f"{site.vaddr:x}" for site in sites)], check=True, capture_output=True,
                            text=True).stdout.splitlines() if sites else []
    return [int(line.split()[0].rsplit(":", 1)[1]) for line in output]
