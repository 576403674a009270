"""Where a fault can be seeded, and which: the kinds of mistakes that people make and reviewers miss.

Only whole lines are looked at: a statement, or the head of an `if`, `while` or `for`, that begins and ends on its line. That leaves out
what is spread over several lines (about a third of the code), headers, and whatever the compiler then refuses; it needs no parser.
"""
import re

TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
COMPARISON = re.compile(r"(?<= )(<=|>=|==|!=|<|>)(?= )")
AND_OR = re.compile(r"(?<= )(&&|\|\|)(?= )")
ONE = re.compile(r" [+-] 1(?![\w.'])")
MIN_MAX = re.compile(r"\bstd::(min|max)\b")
CONTROL = re.compile(r"(?:\} else )?(if|while) \(")
FOR = re.compile(r"for \([^;]*; (?P<condition>[^;]+); [^;]*\) ?[{\w*]")
DECLARED_CONDITION = re.compile(r"(?:const )?(?:auto|[\w:<>]+)[*& ]+\w+ = ")
RAW_STRING = re.compile(r'(?<!\w)R"')
STATEMENT_END = re.compile(r"[;{}:]$|^$")
CALL = re.compile(r"[A-Za-z_][\w:.\[\]]*(?:(?:->|\.|\(\)[.]|\(\)->)[\w:.\[\]]+)*\(.*\);")
ASSIGNMENT = re.compile(r"[*]?[A-Za-z_][\w.\[\]>-]* [|+&-]?= .*;")
# Taking one of these away changes nothing that anybody could see, or is no statement of its own.
NO_CALL = re.compile(r"OSCOPE_CHECK|static_assert|OSCOPE_ASSIGN|OSCOPE_RETURN|\.reserve\(|return\b|if\b|while\b|for\b|switch\b|using\b|else\b")


def without_strings(line):
    """The line with the insides of its literals and its comment as spaces, so that nothing is found in them."""
    out, quote, i = [], None, 0
    while i < len(line):
        char = line[i]
        if quote:
            if char == "\\":
                out.append("  ")
                i += 2
                continue
            out.append(char if char == quote else " ")
            quote = None if char == quote else quote
        elif line.startswith("//", i):
            out.append(" " * (len(line) - i))
            break
        else:
            # 1'000'000 has no character in quotes.
            if char == '"' or (char == "'" and not (i and line[i - 1].isalnum())):
                quote = char
            out.append(char)
        i += 1
    return "".join(out)


def closing(text, opening):
    """The index of the bracket that closes the one at `opening`, or -1."""
    depth = 0
    for i in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return -1


def condition_of(line):
    """Begin and end of the condition of an `if`, `while` or `for` head, or None."""
    bare = without_strings(line)
    control = CONTROL.match(bare)
    if control:
        end = closing(bare, control.end() - 1)
        condition = bare[control.end():end]
        if end < 0 or ";" in condition or DECLARED_CONDITION.match(condition):
            return None
        return control.end(), end
    loop = FOR.match(bare)
    return loop.span("condition") if loop else None


def balanced(text):
    bare = without_strings(text)
    return bare.count("(") == bare.count(")") and bare.count("{") == bare.count("}") and bare.count("[") == bare.count("]")


def faults(line, before):
    """The (kind, faulty line) pairs for one line; `before` is the last line with code before it."""
    line, bare = line.strip(), without_strings(line.strip())
    if not line or line.startswith(("//", "#", "case ", "default:", "static_assert", "OSCOPE_CHECK", "template", "using ", "constexpr")):
        return []
    if not STATEMENT_END.search(without_strings(before).strip()) and not before.rstrip().endswith((") {", ")", "else")):
        return []
    condition = condition_of(line)
    if condition is None and not (bare.rstrip().endswith(";") and balanced(line)):
        return []
    found = []
    begin, end = condition or (0, len(line))
    for match in COMPARISON.finditer(bare, begin, end):
        found.append(("comparison turned", line[:match.start()] + TURNED[match[0]] + line[match.end():]))
    for match in AND_OR.finditer(bare, begin, end):
        found.append(("and for or", line[:match.start()] + {"&&": "||", "||": "&&"}[match[0]] + line[match.end():]))
    for match in ONE.finditer(bare, begin, end):
        found.append(("one off", line[:match.start()] + line[match.end():]))
    for match in MIN_MAX.finditer(bare, begin, end):
        found.append(("least for greatest", line[:match.start(1)] + {"min": "max", "max": "min"}[match[1]] + line[match.end(1):]))
    if condition:
        if not bare.startswith("for"):
            found.append(("check removed", line[:begin] + "false" + line[end:]))
        if bare.startswith(("if", "} else if")):
            found.append(("condition turned", line[:begin] + "!(" + line[begin:end] + ")" + line[end:]))
        return found
    if bare.startswith("OSCOPE_RETURN_IF_ERROR("):
        found.append(("error dropped", "(void)" + line[len("OSCOPE_RETURN_IF_ERROR"):]))
    elif (CALL.fullmatch(bare.rstrip()) or ASSIGNMENT.fullmatch(bare.rstrip())) and not NO_CALL.search(bare):
        found.append(("statement removed", ""))
    elif bare.startswith(("return true;", "return false;")):
        found.append(("answer turned", line.replace("true", "\0").replace("false", "true").replace("\0", "false")))
    return found


def of_file(text):
    """(line index, [faults]) for every line of a source that can have one."""
    before, places, raw = "", [], False
    for index, line in enumerate(text.splitlines()):
        if raw or RAW_STRING.search(line):
            raw = ')"' not in line
            before = ";"  # what follows the literal begins anew
            continue
        candidates = faults(line, before)
        if candidates:
            places.append((index, candidates))
        if without_strings(line).strip():
            before = line
    return places
