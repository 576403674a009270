#!/usr/bin/env python3
"""What tracing costs: CPU time against the same program under `valgrind --tool=none`, alone, and under uftrace.

usage: trace_cost.py OSCOPE TOOL_DIRECTORY [ROUNDS]

TOOL_DIRECTORY holds oscope-amd64-linux. Prints a table: the best of several runs, all in one sitting. The recorder is run as `oscope trace` runs it, but
alone: turning the recording into a run is not in these figures.
"""
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).with_name("traced_program.cc")
REPEATS = 5


def cpu_seconds(words, env=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def settings_of(oscope, here, granularity):
    """The settings file that `oscope trace` writes, caught by a program that stands in for Valgrind."""
    stand_in = here / "bin" / "valgrind.bin"
    stand_in.parent.mkdir(exist_ok=True)
    stand_in.write_text('#!/bin/sh\nfor a in "$@"; do case $a in --recording=*) cp "${a#--recording=}/settings" "$CAUGHT";; esac; done\n')
    stand_in.chmod(0o755)
    caught = here / f"settings.{granularity}"
    env = dict(os.environ, PATH=f"{stand_in.parent}:{os.environ['PATH']}", CAUGHT=str(caught))
    subprocess.run([oscope, "trace", "--recorder", "valgrind", "--granularity", granularity, "--output", str(here / "none.osct"), "--", "true"],
                   env=env, capture_output=True, cwd=here)
    return caught.read_text()


def recording(here, settings):
    directory = here / "recording"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    (directory / "settings").write_text(settings)
    (directory / "control").write_bytes(struct.pack("<QII", 0x314c54434353436f, 256, 0) + bytes(4096 - 16))
    return directory


def traced(tools, here, settings, words):
    directory = recording(here, settings)
    valgrind = shutil.which("valgrind.bin") or "valgrind"
    seconds = cpu_seconds([valgrind, "-q", "--tool=oscope", "--trace-children=yes", "--vgdb=no", f"--log-file={directory}/log.%p",
                           f"--recording={directory}", *words], dict(os.environ, VALGRIND_LIB=str(tools)))
    return seconds, directory


def events_and_bytes(directory):
    """How many records and bytes the chunks of process 0 hold."""
    bytes_ = (directory / "0.events").read_bytes()
    records = used = 0
    for chunk in range(4096, len(bytes_), 1 << 18):
        words = struct.unpack_from(f"<{((1 << 18) - 32) // 4}I", bytes_, chunk + 32)
        at = 0
        while at < len(words) and words[at]:
            kind = words[at] >> 29
            at += 2 if kind == 1 else 1 + (words[at] & 0xffffff) if kind == 6 else 1
            records += kind in (1, 2, 3, 4)
        used += at * 4
    return records, used


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    oscope, tools = os.path.abspath(arguments[0]), os.path.abspath(arguments[1])
    rounds = arguments[2] if len(arguments) == 3 else "1500"
    valgrind = shutil.which("valgrind.bin") or "valgrind"
    with tempfile.TemporaryDirectory() as name:
        here = pathlib.Path(name)
        settings = {granularity: settings_of(oscope, here, granularity) for granularity in ("method", "block")}
        print(f"CPU seconds, best of {REPEATS}; {rounds} rounds\n")
        print("| build | alone | none | method | block | method / none | block / none | uftrace (-pg) / alone | method / alone | bytes an event |")
        print("|---|---|---|---|---|---|---|---|---|---|")
        for level in "-O0", "-O2":
            program, profiled = here / "program", here / "profiled"
            subprocess.run(["c++", "-std=c++17", "-g", level, SOURCE, "-o", program], check=True)
            subprocess.run(["c++", "-std=c++17", "-g", "-pg", level, SOURCE, "-o", profiled], check=True)
            best = {}

            def keep(what, seconds):
                best[what] = min(seconds, best.get(what, seconds))

            size = ""
            for _ in range(REPEATS):
                keep("alone", cpu_seconds([program, rounds]))
                keep("none", cpu_seconds([valgrind, "-q", "--tool=none", "--vgdb=no", program, rounds]))
                for granularity, text in settings.items():
                    seconds, directory = traced(tools, here, text, [str(program), rounds])
                    keep(granularity, seconds)
                    if granularity == "method" and not size:
                        records, used = events_and_bytes(directory)
                        size = f"{used / records:.1f}"
                if shutil.which("uftrace"):
                    keep("uftrace", cpu_seconds(["uftrace", "record", "-d", str(here / "uftrace.data"), str(profiled), rounds]))
            beside = f"{best['uftrace'] / best['alone']:.1f}" if "uftrace" in best else "not installed"
            print(f"| {level} | {best['alone']:.2f} | {best['none']:.2f} | {best['method']:.2f} | {best['block']:.2f} | "
                  f"{best['method'] / best['none']:.2f} | {best['block'] / best['none']:.2f} | {beside} | {best['method'] / best['alone']:.1f} | {size} |")


if __name__ == "__main__":
    main(sys.argv[1:])
