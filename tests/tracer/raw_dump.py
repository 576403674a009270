#!/usr/bin/env python3
"""Prints a raw recording as text: slow and obvious, the oracle for the readers that are fast.

usage: raw_dump.py RECORDING [PROCESS]

A line a record, in the order in which the process wrote them, `THREAD record ...`; sites by their names where they have any. First the lines
of the header and of the sites file that are not sites. tracer/raw/raw_format.h tells the format.
"""
import pathlib
import struct
import sys
import urllib.parse

CONTROL_MAGIC = b"oCSCCTL1"
EVENTS_MAGIC = b"oCSCCEV1"
CHUNK_MAGIC = b"CHNK"
HEADER_BYTES = 4096
CHUNK_BYTES = 1 << 18
CHUNK_HEADER_BYTES = 32
CONTROL_PIDS = 512
NO_TEXT = 0xFFFFFFFF
NO_PROCESS = 0xFFFFFFFF
FLAGS = {1: "finished", 2: "disk-full", 4: "sites-lost"}
ENTRY, BRANCH, STATEMENT, INSTR, THREAD, EXTENDED = range(1, 7)
EXTENDED_NAMES = {1: "mark", 2: "throw", 3: "catch", 4: "rethrow", 5: "exit", 6: "signal", 7: "stack", 8: "values", 9: "result",
                  10: "chop"}
GRANULARITIES = ["off", "method", "statement", "block", "instruction"]


class Control:
    def __init__(self, recording):
        data = (pathlib.Path(recording) / "control").read_bytes()
        magic, self.process_limit, self.processes = struct.unpack_from("<8sII", data)
        assert magic == CONTROL_MAGIC, magic
        self.pids = list(struct.unpack_from(f"<{CONTROL_PIDS}I", data, 16))


def make_recording(path, settings, process_limit=64):
    """The directory that `oscope` makes before a program starts; `settings` are tuples of words."""
    path = pathlib.Path(path)
    path.mkdir(mode=0o700)
    lines = [("version", "1"), *settings]
    (path / "settings").write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))
    control = struct.pack("<8sII", CONTROL_MAGIC, process_limit, 0)
    (path / "control").write_bytes(control.ljust(4096, b"\0"))
    return path


class Site:
    def __init__(self, kind, object_path, vaddr, name):
        self.kind, self.object_path, self.vaddr, self.name = kind, object_path, vaddr, name

    def __str__(self):
        where = pathlib.PurePath(self.object_path).name if self.object_path else "-"
        return self.name or f"{where}+0x{self.vaddr:x}"


class Record:
    """kind is a word ("entry", "throw" ...); the rest depends on it, see Process.decode."""

    def __init__(self, kind, thread, **fields):
        self.kind, self.thread, self.fields = kind, thread, fields

    def __getattr__(self, name):
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(name) from None

    def __str__(self):
        def text(value):
            if isinstance(value, (list, tuple)):
                return "[" + " ".join(map(text, value)) + "]"
            return repr(value) if isinstance(value, bytes) else str(value)
        return " ".join([str(self.thread), self.kind, *(f"{key}={text(value)}" for key, value in self.fields.items())])


class Words:
    """The words of one extended record, read in order."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def word(self):
        value, = struct.unpack_from("<I", self.data, self.at)
        self.at += 4
        return value

    def signed(self):
        return struct.unpack("<i", struct.pack("<I", self.word()))[0]

    def number(self):
        low = self.word()
        return low | self.word() << 32

    def text(self):
        size = self.word()
        if size == NO_TEXT:
            return None
        value = self.data[self.at:self.at + size]
        assert len(value) == size
        self.at += (size + 3) // 4 * 4
        return value


class Process:
    """One process of a recording: header, sites, notes, threads, and records()."""

    def __init__(self, recording, ordinal):
        self.recording, self.ordinal = pathlib.Path(recording), ordinal
        self.data = (self.recording / f"{ordinal}.events").read_bytes()
        (magic, self.version, self.chunk_bytes, self.ring_chunks, self.flag_bits, self.chunks, self.process, self.parent, self.parent_sites,
         self.parent_objects, self.origin, self.pid) = struct.unpack_from("<8sIIIIQIIIIII", self.data)
        assert magic == EVENTS_MAGIC and self.version == 1 and self.chunk_bytes == CHUNK_BYTES and self.process == ordinal
        self.flags = {name for bit, name in FLAGS.items() if self.flag_bits & bit}
        self.sites, self.objects, self.notes, self.threads = {}, {}, [], {}
        if self.parent != NO_PROCESS:
            parent = Process(recording, self.parent)
            self.sites = {number: site for number, site in parent.sites.items() if number < self.parent_sites}
            self.objects = {number: path for number, path in parent.objects.items() if number < self.parent_objects}
        path = self.recording / f"{ordinal}.sites"
        for line in path.read_text().splitlines() if path.exists() else []:
            self.read_site_line(line.split(" "))

    def read_site_line(self, words):
        kind = words[0]
        if kind == "object":
            number, bias, path = words[1:]
            self.objects[int(number)] = (urllib.parse.unquote(path), int(bias, 16))
        elif kind == "site":
            number, site_kind, object_number, vaddr = words[1:5]
            name = urllib.parse.unquote(words[5]) if len(words) > 5 else ""
            assert int(number) not in self.sites, words
            object_path = "" if object_number == "-" else self.objects[int(object_number)][0]
            self.sites[int(number)] = Site(site_kind, object_path, int(vaddr, 16), name)
        elif kind == "thread":
            self.threads[int(words[1])] = int(words[2])
        elif kind == "note":
            self.notes.append(" ".join(words[1:]))
        else:
            raise ValueError(f"sites file: {words}")

    def site(self, number, kinds):
        if number not in self.sites and "sites-lost" in self.flags:
            return Site(kinds[0], "", number, f"lost{number}")
        site = self.sites[number]
        assert site.kind in kinds, (number, site.kind, kinds)
        return site

    def chunk_bodies(self):
        """(thread, bytes) of each chunk that is there, oldest first. The newest may not have begun when the process was killed; then its
        slot is empty, or still holds the chunk that was there before."""
        chunks = {}
        for slot in range(min(self.ring_chunks, self.chunks)):
            at = HEADER_BYTES + slot * CHUNK_BYTES
            magic, thread, sequence = struct.unpack_from("<4sIQ", self.data, at)
            if magic == CHUNK_MAGIC:
                assert sequence < self.chunks and sequence % self.ring_chunks == slot, (slot, sequence)
                chunks[sequence] = (thread, self.data[at + CHUNK_HEADER_BYTES:at + CHUNK_BYTES])
        newest = max(chunks, default=-1)
        assert newest >= self.chunks - 2 and sorted(chunks) == list(range(newest + 1 - len(chunks), newest + 1)), sorted(chunks)
        return [chunks[sequence] for sequence in sorted(chunks)]

    def records(self):
        for thread, body in self.chunk_bodies():
            at = 0
            while at < len(body):
                word, = struct.unpack_from("<I", body, at)
                if word == 0:
                    assert not any(body[at:at + 4096]), "bytes behind the end"
                    break
                at += 4
                kind, payload = word >> 29, word & 0x1FFFFFFF
                if kind == ENTRY:
                    sp, = struct.unpack_from("<I", body, at)
                    at += 4
                    yield Record("entry", thread, site=self.site(payload, "m"), sp=sp)
                elif kind == BRANCH:
                    yield Record("branch", thread, site=self.site(payload >> 1, "b"), taken=payload & 1)
                elif kind == STATEMENT:
                    yield Record("statement", thread, site=self.site(payload, "s"))
                elif kind == INSTR:
                    yield Record("instr", thread, site=self.site(payload, "i"))
                elif kind == THREAD:
                    thread = payload
                elif kind == EXTENDED:
                    size = (payload & 0xFFFFFF) * 4
                    assert at + size <= len(body)
                    yield self.decode(thread, payload >> 24, Words(body[at:at + size]))
                    at += size
                else:
                    raise ValueError(f"kind {kind} at {at}")

    def code(self, words):
        return self.site(words.word(), "c")

    def decode(self, thread, number, words):
        name = EXTENDED_NAMES[number]
        if name == "mark":
            fields = {"sp": words.word(), "index": words.word(), "caller": self.code(words)}
            fields["texts"] = [words.text() for _ in range(words.word())]
        elif name == "throw":
            fields = {"sp": words.word(), "caller": self.code(words), "type": words.text(), "what": words.text()}
        elif name in ("catch", "rethrow"):
            fields = {"sp": words.word(), "caller": self.code(words)}
        elif name == "exit":
            fields = {"status": words.signed()}
        elif name == "signal":
            fields = {"number": words.word(), "fatal": words.word()}
        elif name == "stack":
            fields = {"why": EXTENDED_NAMES[words.word()]}
            fields["frames"] = [self.code(words) for _ in range(words.word())]
        elif name == "values":
            fields = {"site": self.site(words.word(), "m"), "sp": words.word()}
            fields["arguments"] = [(words.number(), words.text()) for _ in range(words.word())]
        elif name == "result":
            fields = {"site": self.site(words.word(), "m"), "sp": words.word(), "how": ["returned", "left"][words.word()]}
            fields["value"], fields["text"] = words.number(), words.text()
        else:
            fields = {"granularity": GRANULARITIES[words.word()]}
        assert words.at == len(words.data), f"{name}: words left over"
        return Record(name, thread, **fields)


def processes(recording):
    """All processes that made an events file, by ordinal."""
    ordinals = sorted(int(path.stem) for path in pathlib.Path(recording).glob("*.events"))
    return [Process(recording, ordinal) for ordinal in ordinals]


def dump(process):
    parent = "-" if process.parent == NO_PROCESS else process.parent
    print(f"process {process.ordinal} pid {process.pid} parent {parent} chunks {process.chunks} ring {process.ring_chunks} "
          f"{' '.join(sorted(process.flags))}")
    for ordinal, tid in process.threads.items():
        print(f"thread {ordinal} {tid}")
    for note in process.notes:
        print(f"note {note}")
    for record in process.records():
        print(record)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    wanted = sys.argv[2:] and int(sys.argv[2])
    for process in processes(sys.argv[1]):
        if not sys.argv[2:] or process.ordinal == wanted:
            dump(process)


if __name__ == "__main__":
    main()
