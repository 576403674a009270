#!/usr/bin/env python3
"""Writes thesis.jsonl: the bugs of chapter 3 of the thesis with traces of ours. usage: make.py > thesis.jsonl

Every trace is put together from the pieces below, so that two of them are as near as the thesis says their bugs are. Nothing is random.
"""
import json

LANG = "org.apache.commons.lang."
CONFIGURATION = "org.apache.commons.configuration."
RHINO = "org.mozilla.javascript."
IO = "org.apache.commons.io.Stream."
LOG = "org.apache.commons.logging.Log.debug"

lines = []


def bug(project, number, title, status="resolved", **more):
    lines.append({"type": "bug", "project": project, "id": str(number), "title": title, "status": status, **more})


def run(project, number, *traces):
    """A failing run; a trace is a list of events, or ("stack", events)."""
    written = []
    for trace in traces:
        if isinstance(trace, tuple):
            written.append({"kind": trace[0], "events": trace[1]})
        else:
            written.append({"mark": {"events": len(trace), "reason": "test failure"}, "events": trace})
    lines.append({"type": "run", "project": project, "bug": str(number), "test": f"Bug{number}Test.test", "language": "java",
                  "message": "see the report", "traces": written})


def calls(prefix, text):
    return [prefix + name for name in text.split()]


def walk(names, length, step):
    """`length` events, through `names` by `step`: two steps give two different orders."""
    return [names[i * step % len(names)] for i in range(length)]


# --- Configuration and Lang: sections 3.3.2, 3.3.4 and 3.4.2 ---

LOAD = calls(CONFIGURATION, "DefaultConfigurationBuilder.load XMLConfiguration.load ConfigurationFactory.parse PropertyConfiguration.load "
             "HierarchicalConfiguration.addNode CombinedConfiguration.construct AbstractConfiguration.interpolate")
COPY = CONFIGURATION + "ConfigurationUtils.copy"
ESCAPE = LANG + "StringEscapeUtils.escapeJava"
SET = CONFIGURATION + "PropertyConfiguration.setProperty"
KEYS = CONFIGURATION + "AbstractConfiguration.getKeySet"


def configuration():
    # "These three bugs differ only in the location of their call to this buggy method": what surrounds it has nothing in common.
    contexts = [calls(CONFIGURATION, f"{where}.first {where}.second {where}.third {where}.fourth") for where in
                ("DefaultConfigurationBuilder", "SubsetConfiguration", "MapConfiguration")]
    bug("Configuration", 323, "DefaultConfigurationBuilder misinterprets property values as lists", "open")
    run("Configuration", 323, walk(LOAD, 30, 3) + [COPY] + walk(contexts[0], 60, 1))
    bug("Configuration", 283, "copy() splits values at the delimiter")
    run("Configuration", 283, walk(LOAD, 10, 2) + [COPY] + walk(contexts[1], 60, 1))
    bug("Configuration", 272, "A quote is escaped that needs none")
    run("Configuration", 272, walk(LOAD, 20, 4) + [COPY] + walk(contexts[2], 55, 1) + [SET, ESCAPE])
    bug("Configuration", 408, "Forward slashes are escaped when a URL is saved as a property")
    run("Configuration", 408, walk(LOAD, 40, 5) + [SET, CONFIGURATION + "PropertyConfiguration.save", ESCAPE])
    # A pair of duplicates that the project had missed, and a pair with the same mistake in two places.
    for number, extra in ((30, []), (256, [KEYS])):
        bug("Configuration", number, "Keys of a subset are lost")
        run("Configuration", number, walk(LOAD, 25, 3) + [KEYS] + calls(CONFIGURATION, "SubsetConfiguration.getKeys") * 30 + extra)
    for number, where in ((94, "AbstractFileConfiguration.save"), (222, "PropertyConfiguration.create")):
        bug("Configuration", number, "A new file is made without a look for an old one")
        run("Configuration", number, calls(CONFIGURATION, "FileChangedStrategy.init FileHandler.locate") * 30 + [CONFIGURATION + where])
    # Alike in their last events by their tests alone: a false positive of the suffix query.
    for number, where in ((6, "getString"), (75, "clearTree")):
        bug("Configuration", number, "Empty values" if number == 6 else "Subelements that were not to go")
        run("Configuration", number, [CONFIGURATION + "XMLConfiguration." + where] +
            calls(CONFIGURATION, "XMLConfiguration.visit XMLConfiguration.append") * 40)


def lang():
    for number, status in ((421, "open"), (473, "open")):
        bug("Lang", number, "escapeJava() escapes the slash, a valid character", status)
        run("Lang", number, calls(LANG, "StringUtils.isEmpty StringUtils.length") * number_of(number) + [ESCAPE])
    for number, where in ((118, "hex"), (131, "empty")):
        bug("Lang", number, f"unescapeHtml() does not take {where} entities")
        run("Lang", number, calls(LANG, "Entities.unescape Entities.entityValue") * 30 + [LANG + "Entities." + where])


def number_of(number):
    return 8 if number == 421 else 9


# --- Rhino: sections 3.4.1, 3.4.2 and 3.4.4 ---

ENTER = calls(RHINO, "Context.enter Context.initStandardObjects Context.evaluateString Interpreter.interpret ScriptRuntime.call "
              "TokenStream.getToken Parser.parse NodeTransformer.transform IRFactory.createCall ScriptableObject.get")
FIXED = calls(RHINO, "NativeNumber.execIdCall NativeNumber.num_to DToA.JS_dtostr DToA.JS_dtoa BigInteger.shift ScriptRuntime.toNumber "
              "NativeNumber.toFixed")
REGEXP = calls(RHINO, "regexp.NativeRegExp.compile regexp.NativeRegExp.parseTerm regexp.NativeRegExp.emit regexp.NativeRegExp.match "
               "regexp.RegExpImpl.action")
XML = calls(RHINO, "xml.XMLLib.createXML xml.XmlNode.addChild xml.XML.ecmaToString xml.XMLObject.get")
EXIT = calls(RHINO, "Context.exit VMBridge.release")


def with_logging(events, count):
    """`count` calls of VMBridge between the last events: so many edits."""
    spread = list(events)
    for i in range(count):
        spread.insert(len(spread) - 2 - 3 * i, RHINO + "VMBridge.log")
    return spread


def rhino():
    # "A Number.toFixed() failure triggered each": 4 edits apart in their last 50 events.
    to_fixed = walk(FIXED, 48, 3) + EXIT
    bug("Rhino", 217951, "toFixed() rounds the wrong way", "open")
    run("Rhino", 217951, walk(ENTER, 40, 3) + to_fixed)
    bug("Rhino", 217965, "toFixed() loses a digit")
    run("Rhino", 217965, walk(ENTER, 60, 7) + to_fixed[:10] + [RHINO + "DToA.quorem"] * 4 + to_fixed[14:])
    # Seven unresolved bugs of regular expressions: the further down, the more logging.
    expression = walk(REGEXP, 58, 2) + EXIT
    for place, number in enumerate((444935, 443590, 359651, 389278, 543663, 448443, 369860)):
        bug("Rhino", number, "A regular expression is not matched as it should be", "open",
            **({"comments": [{"text": "This looks like 359651."}]} if number == 443590 else {}))
        run("Rhino", number, walk(ENTER, 30 + place, 3) + with_logging(expression, place))
    # Processing XML trees; the two that only print one alike have another cause.
    for number, status in ((567484, "open"), (566181, "resolved"), (566186, "resolved")):
        bug("Rhino", number, "An XML tree is built wrongly", status)
        run("Rhino", number, walk(ENTER, number % 50, 3) + walk(XML, 60, 3))
    stacks()


def stacks():
    """Bugs with a stack alone. 432254 and 567114 overflow at different depths; 319614 and 370231 are of two versions."""
    frame = calls(RHINO, "tools.Main.main Context.evaluateString Interpreter.interpret")
    for number, inner in ((432254, ["ScriptRuntime.concat"] * 8), (567114, ["ScriptRuntime.concat"] * 20),
                          (238699, ["NodeTransformer.visit"]), (299539, ["NodeTransformer.visit", "Compile.compile"]),
                          (319614, ["Codegen.generateCode"]), (370231, ["optimizer.BodyCodegen.generate", "optimizer.ClassCompiler.compile"])):
        bug("Rhino", number, "The interpreter ends with an exception")
        run("Rhino", number, ("stack", frame + [RHINO + name for name in inner]))


# --- Io: the b527 of section 3.3.2, for which the thesis names no project ---

def io():
    def word(text):
        return [LOG if name == "log" else IO + name for name in text.split()]

    bug("Io", "b527", "An assertion fails after the stream is closed", "open")
    for text in ("open read write close fail", "open read read write close fail", "open write close fail", "open read close fail"):
        run("Io", "b527", word(text))
    bug("Io", 12, "The same, found by one test")
    run("Io", 12, word("open read write close fail"))
    bug("Io", 31, "The same in a program that logs")
    for text in ("open log read write log close fail", "open log write close fail", "log open read log close fail"):
        run("Io", 31, word(text))
    bug("Io", 44, "Reading never ends")
    run("Io", 44, word("open " + "read " * 30 + "close fail"))


configuration()
lang()
rhino()
io()
for line in lines:
    print(json.dumps(line, separators=(",", ":")))
