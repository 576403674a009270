"""Makes a copy of the tree in which every fault of a list is there, behind a switch.

A line with faults becomes one line that asks OSCOPE_MUTANT(number), so that the whole list takes one build and a fault is chosen by the environment
variable OSCOPE_MUTANT (switch/oscope_mutant.h). Line numbers stay. Files that have not changed keep their time, so that a second build is short.
"""
import collections
import dataclasses
import os
import pathlib
import re
import subprocess

import mutant_list
import places

DECLARATION = re.compile(r"(?P<head>(?:static )?(?:const )?[\w:]+(?:<[^=]*>)?(?: const)?[ *&]+\w+ = )(?P<value>.+);")
ASSIGN = re.compile(r"(?P<head>OSCOPE_ASSIGN_OR_RETURN\([^=()]* \w+, )(?P<value>.+)(?P<tail>\);)")


def _chain(choices, original, wrap):
    text = wrap(original)
    for mutant, faulty in reversed(choices):
        text = f"OSCOPE_MUTANT({mutant.number}) ? {wrap(faulty)} : {text}"
    return text


def _in_condition(original, mutants):
    span = places.condition_of(original)
    if span is None:
        return None
    choices = []
    for mutant in mutants:
        other = places.condition_of(mutant.faulty)
        if other is None or mutant.faulty[:other[0]] != original[:span[0]] or mutant.faulty[other[1]:] != original[span[1]:]:
            return None
        choices.append((mutant, mutant.faulty[other[0]:other[1]]))
    return original[:span[0]] + _chain(choices, original[span[0]:span[1]], lambda text: f"!!({text})") + original[span[1]:]


def _in_value(pattern, original, mutants):
    match = pattern.fullmatch(original)
    if not match:
        return None
    choices = []
    for mutant in mutants:
        other = pattern.fullmatch(mutant.faulty)
        if not other or other["head"] != match["head"]:
            return None
        choices.append((mutant, other["value"]))
    tail = match.groupdict().get("tail", ";")
    return match["head"] + _chain(choices, match["value"], lambda text: f"({text})") + tail


def _as_statement(original, mutants):
    text = f"{{ {original} }}"
    for mutant in reversed(mutants):
        text = f"if (OSCOPE_MUTANT({mutant.number})) {{ {mutant.faulty} }} else {text}"
    return text


def switched_line(original, mutants):
    """The line with all its faults behind the switch."""
    return (_in_condition(original, mutants) or _in_value(DECLARATION, original, mutants) or _in_value(ASSIGN, original, mutants)
            or _as_statement(original, mutants))


def switched_source(text, mutants):
    lines = text.splitlines()
    at = collections.defaultdict(list)
    for mutant in mutants:
        at[mutant_list.line_of(mutant, lines)].append(mutant)
    for index, some in at.items():
        line = lines[index]
        indent = line[:len(line) - len(line.lstrip())]
        bare = [dataclasses.replace(mutant, faulty=without_comment(mutant.faulty)) for mutant in some]
        lines[index] = indent + switched_line(without_comment(line.strip()), bare)
    return '#include <oscope_mutant.h>\n#line 1\n' + "\n".join(lines) + "\n"


def without_comment(line):
    """A comment at the end of the line would swallow what is put behind it."""
    return line[:len(places.without_strings(line).rstrip())] if "//" in line else line


def write_if_changed(path, data, mode):
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)


def make_tree(source, target, mutants):
    """Copies what git knows of `source`, with the faults, to `target`."""
    of_file = collections.defaultdict(list)
    for mutant in mutants:
        of_file[mutant.file].append(mutant)
    listed = subprocess.run(["git", "-C", source, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True, capture_output=True, text=True).stdout
    names = [name for name in listed.split("\0") if name and (source / name).is_file()]
    unknown = set(of_file) - set(names)
    if unknown:
        raise mutant_list.ListError(f"no such file any more: {', '.join(sorted(unknown))}")
    for name in names:
        data = (source / name).read_bytes()
        if name in of_file:
            data = switched_source(data.decode(), of_file[name]).encode()
        write_if_changed(target / name, data, (source / name).stat().st_mode & 0o777)
    kept = set(names)
    for path in list(target.rglob("*")):
        name = str(path.relative_to(target))
        if path.is_file() and not path.is_symlink() and name not in kept and not name.startswith(".deps"):
            path.unlink()
    link = target / ".deps"
    if not link.is_symlink():
        os.symlink(pathlib.Path(source, ".deps").resolve(), link)
