"""The list of seeded faults: text that reads like a patch, one fault a paragraph.

    17 index/store/compact.cc comparison turned
    - if (segment.events < options.small_segment_events) {
    + if (segment.events <= options.small_segment_events) {

The number is the fault's own and never given to another one. The line after `-` is in the file (white space at its ends does not count); where it stands there
several times, `#2` after the file's name means the second one. No `+` line: the line is taken out. A line `= ` says why no test
can notice the fault, or why it stays unnoticed. What begins with `#` is a comment.
"""
import dataclasses
import pathlib
import re

HEAD = re.compile(r"(\d+) (\S+?)(?:#(\d+))? (\w.*)")


class ListError(Exception):
    """The list, or a place that it names, is not as it should be."""


@dataclasses.dataclass
class Mutant:
    number: int
    file: str
    kind: str
    original: str
    faulty: str = ""
    occurrence: int = 1
    why: str = ""

    @property
    def folder(self):
        return str(pathlib.PurePosixPath(self.file).parent)

    def text(self):
        place = self.file if self.occurrence == 1 else f"{self.file}#{self.occurrence}"
        lines = [f"{self.number} {place} {self.kind}", f"- {self.original}"]
        if self.faulty:
            lines.append(f"+ {self.faulty}")
        if self.why:
            lines.append(f"= {self.why}")
        return "\n".join(lines) + "\n"


def parse(text, name="list"):
    mutants = []
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{name}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        sign, rest = line[:2], line[2:].strip()
        if sign in ("- ", "+ ", "= "):
            if not mutants:
                raise ListError(f"{where}: a line of a fault before its first line")
            field = {"- ": "original", "+ ": "faulty", "= ": "why"}[sign]
            if getattr(mutants[-1], field):
                raise ListError(f"{where}: a second '{sign.strip()}' line of fault {mutants[-1].number}")
            setattr(mutants[-1], field, rest)
            continue
        head = HEAD.fullmatch(line)
        if not head:
            raise ListError(f"{where}: expected 'NUMBER FILE KIND', found '{line}'")
        mutants.append(Mutant(int(head[1]), head[2], head[4], "", occurrence=int(head[3] or 1)))
    for mutant in mutants:
        if not mutant.original:
            raise ListError(f"{name}: fault {mutant.number} has no '-' line")
        if mutant.original == mutant.faulty:
            raise ListError(f"{name}: fault {mutant.number} changes nothing")
    return mutants


def read(paths):
    """All the faults of several lists. Numbers must differ."""
    mutants, seen = [], {}
    for path in paths:
        for mutant in parse(pathlib.Path(path).read_text(), pathlib.Path(path).name):
            if mutant.number in seen:
                raise ListError(f"{path}: fault {mutant.number} is also in {seen[mutant.number]}")
            seen[mutant.number] = path
            mutants.append(mutant)
    return mutants


def line_of(mutant, lines):
    """The index of the fault's line among the lines of its file."""
    found = [i for i, line in enumerate(lines) if line.strip() == mutant.original]
    if len(found) < mutant.occurrence:
        raise ListError(f"fault {mutant.number}: {mutant.file} has no such line any more: {mutant.original}")
    return found[mutant.occurrence - 1]
