#!/usr/bin/env python3
"""Changes one thing of a source at a time, and counts how often the module's tests notice:
  tests/reliability/mutants.py --seed S [--mutants N] [--minutes M] [--commit C] [--out FOLDER] [--fresh] [--quick]
The places are drawn by S from core, formats and statistics (300 unless told). A mutant is killed where
a test of its module fails (core/theory has the tests of the theory and of core), or takes ten seconds
longer than three times what it took; one that does not compile is none, and the next one drawn takes
its place. A survivor counts unless equivalent_mutants.tsv says why no test can notice it.

One build holds all mutants that can be chosen while a program runs, and only tests that reach a
mutant are run with it. What the compiler computes itself, and what cannot be chosen, is built alone
(--quick leaves these out, and says how many). Every outcome is a line of FOLDER/mutants.tsv
(build/mutants unless told); the same command goes on where it was ended, unless --fresh begins anew.
It tries a commit (the last unless told), not the working tree, with BLOOMLAB_JOBS jobs (as many as processors).
"""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
MODULES = ("core", "formats", "statistics")
PROGRAMS = ("core", "theory", "formats", "statistics")
SKIPPED = 77  # the status of a program of which a test was skipped (tests/catch_runner.hpp)

EXCHANGED = [
    (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "),
    (" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "), (" % ", " / "), (" << ", " >> "),
    (" >> ", " << "), (" & ", " | "), (" | ", " & "), (" ^ ", " & "), (" && ", " || "), (" || ", " && "),
    (" += ", " -= "), (" -= ", " += "), (" |= ", " &= "), (" &= ", " |= "), ("++", "--"),
    ("std::min", "std::max"), ("std::max", "std::min"), ("return true;", "return false;"),
    ("return false;", "return true;"), ("(!", "("), ("break;", ";"), ("continue;", ";"),
]  # fmt: skip
FIRST_WORDS = {"return", "throw", "co_return", "co_yield", "else", "do", "case", "new", "delete", "requires"}
LITERAL = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'""", re.S)


def masked(text):
    """The text with comments blank and each character of a literal as \\1: as long, with the same lines."""
    def hidden(match):
        filler = " " if match[0].startswith("/") else "\1"
        return "".join(c if c == "\n" else filler for c in match[0])
    return LITERAL.sub(hidden, text)


class Mutant:
    """One change: text[start:start + len(old)] becomes new."""

    def __init__(self, file, text, start, old, new, kind):
        self.file, self.start, self.old, self.new, self.kind = file, start, old, new, kind
        self.line = text.count("\n", 0, start) + 1
        self.column = start - text.rfind("\n", 0, start)
        self.words = text.splitlines()[self.line - 1].strip()

    def key(self):
        return (self.file, self.line, self.column, self.old, self.new)

    def changed(self, text):
        return text[: self.start] + self.new + text[self.start + len(self.old) :]


def places(file, text):
    """Every mutant of a source. Left alone: the preprocessor, what clang-format has no spaces about (the
    < of a template), strings that are joined, what examples() returns, and calls that only save time."""
    code = masked(text)
    begin = 0
    in_examples = in_directive = False
    for line in code.splitlines(keepends=True):
        at, begin = begin, begin + len(line)
        directive = in_directive or re.match(r" *#", line)
        in_directive = bool(directive) and line.endswith("\\\n")
        in_examples = in_examples or bool(re.search(r"examples\(\) \{", line))
        if in_examples:
            in_examples = not re.match(r" *}$", line)
            continue
        if directive or re.match(r" *(static_assert|using|template|assert\(|__builtin_prefetch)|\s*$", line):
            continue
        for old, new in EXCHANGED:
            for match in re.finditer(re.escape(old), line):
                if "\1" in (line[match.start() - 1], line[match.end() : match.end() + 1]) and old in (" + ", " << "):
                    continue
                yield Mutant(file, text, at + match.start(), old, new, "statement" if new == ";" else "expression")
        for match in re.finditer(r"(?<![\w.'\1])(?<![eE][-+])[0-9][0-9']*(?![\w.'\1])", line):
            number = match[0].replace("'", "")
            if len(number) < 15 and not re.search(r"\) (const |noexcept )*= $", line[: match.start()]):
                yield Mutant(file, text, at + match.start(), match[0], str(int(number) + 1), "number")
        call = re.match(r"( +)([a-z_][\w.:]*(->[\w.]+)*\(.*\);)$", line)
        if (call and not re.match(r"(return|throw|delete|co_|assert)", call[2]) and line.count("(") == line.count(")")
                and not re.search(r"reserve\(|prefetch|hint\(|ask_for", line) and code[:at].rstrip()[-1:] in ";{})"):
            start = at + len(call[1])
            yield Mutant(file, text, start, text[start : start + len(call[2])], ";", "statement")


def ends_statement(code, at):
    """Whether the bracket that closes here ends a block, or the head of an if or a loop."""
    if code[at] == "}":
        return code[at + 1 : at + 2] == "\n"
    depth, first = 1, at
    while code[at] == ")" and depth and first > 0:
        first -= 1
        depth += (code[first] == ")") - (code[first] == "(")
    return code[at] == ")" and bool(re.search(r"\b(if|for|while|switch|constexpr) *$", code[max(0, first - 14) : first]))


def reaches(code, at, step, delimiter, ends):
    """From `at` in steps of one to the end of the expression: brackets that close are passed over."""
    opening, closing = ("([{", ")]}") if step > 0 else (")]}", "([{")
    depth = 0
    while 0 <= at < len(code):
        c = code[at]
        if c in opening:
            if not depth and step < 0 and ends_statement(code, at):
                return at
            depth += 1
        elif c in closing:
            if not depth:
                return at
            depth -= 1
        elif not depth:
            if c in delimiter and "::" not in (code[at - 1 : at + 1], code[at : at + 2]):
                return at
            if step < 0 and c == "=" and code[at - 1] not in "<>!=" and code[at + 1] != "=":
                return at
            if code[at : at + 2] in ends:
                return at + (1 if step < 0 else 0)
            if step < 0 and c == " ":
                word = re.search(r"(\w+)$", code[max(0, at - 12) : at])
                if word and word[1] in FIRST_WORDS:
                    return at
        at += step
    return at


def region(code, mutant):
    """The expression that the change is of, as [first, last)."""
    first, last = mutant.start, mutant.start + len(mutant.old)
    if mutant.old == "(!":
        first += 1
        return first, len(code[: reaches(code, last, 1, ";,?:", ("&&", "||"))].rstrip())
    if mutant.old.strip() in ("+=", "-=", "|=", "&="):
        begin, end = reaches(code, first, -1, ";,:", ("&&", "||")), reaches(code, last, 1, ";,", ())
    else:
        ends = () if mutant.old.strip() in ("&&", "||") else ("&&", "||")
        begin, end = reaches(code, first, -1, ";,?:", ends), reaches(code, last - 1, 1, ";,?:", ends)
    begin += 1
    return begin + len(code[begin:end]) - len(code[begin:end].lstrip()), len(code[:end].rstrip())


def one_line(code, text):
    """The text without its comments, on one line."""
    return " ".join("".join(t if c == "\1" else c for c, t in zip(code, text)).split("\n"))


def switched(text, mutants):
    """The source with a switch MU(id) for each of the mutants, and those of which none can be made."""
    code = masked(text)
    nodes, alone = {}, []
    for mutant in mutants:
        first, last = mutant.start, mutant.start + len(mutant.old)
        if mutant.kind == "expression" and not mutant.old.startswith("return"):
            first, last = region(code, mutant)
            if first > mutant.start + 1 or last < mutant.start + len(mutant.old.rstrip()):
                alone.append(mutant)
                continue
        crossing = any(a < first < b < last or first < a < last < b for a, b in nodes)
        if crossing or (first, last) in nodes and mutant.kind != "expression":
            alone.append(mutant)
            continue
        nodes.setdefault((first, last), []).append(mutant)

    def inner(first, last, own):
        result, at = [], first
        for a, b in sorted((n for n in nodes if first <= n[0] and n[1] <= last and n != own), key=lambda n: (n[0], -n[1])):
            if a < at:
                continue
            result += [text[at:a], choice(a, b)]
            at = b
        return "".join(result) + text[at:last]

    def choice(first, last):
        here = nodes[(first, last)]
        for mutant in here:
            mutant.first_line = text.count("\n", 0, first) + 1
            mutant.last_line = text.count("\n", 0, last) + 1
        rest = inner(first, last, (first, last))
        mutant = here[0]
        if mutant.kind == "statement":
            return f"{{ if (!MU({mutant.id})) {rest} }}"
        if mutant.kind == "number":
            return f"({rest} + MU({mutant.id}))"
        if mutant.old.startswith("return"):
            return f"return {'!' if 'true' in mutant.old else ''}MU({mutant.id});"
        chain = "("
        for mutant in here:
            low, high = mutant.start - first, mutant.start + len(mutant.old) - first
            original = text[first:last], code[first:last]
            before = one_line(original[1][: max(low, 0)], original[0][: max(low, 0)])
            after = one_line(original[1][high:], original[0][high:])
            new = "" if mutant.old == "(!" else mutant.new
            value = f"{before}{new}{after}"
            chain += f"MU({mutant.id}) ? " + (f"bool({value}) : " if mutant.old == "(!" else f"({value}) : ")
        return chain + (f"bool({rest}))" if here[0].old == "(!" else f"({rest}))")

    return computed_late(inner(0, len(text), None)), alone


SWITCH = """#pragma once
inline int mu_active = -1;
inline unsigned char mu_reached[{count}];
constexpr bool MU(int id) {{
  if (__builtin_is_constant_evaluated()) return false;
  mu_reached[id] = 1;
  return mu_active == id;
}}
inline bool MU_LATE(int id) {{  // no constant: what is made with it is computed while the program runs
  mu_reached[id] = 1;
  return mu_active == id;
}}
"""
RECORDER = """
#include <cstdio>
#include <cstdlib>
namespace {
void mu_written() {
  std::FILE* file = std::fopen(std::getenv("MU_REACHED"), "w");
  for (std::size_t id = 0; id < sizeof mu_reached; ++id) {
    if (mu_reached[id] != 0) std::fprintf(file, "%zu\\n", id);
  }
  std::fclose(file);
}
__attribute__((constructor(101))) void mu_chosen() {
  if (const char* id = std::getenv("MU_ACTIVE")) mu_active = std::atoi(id);
  if (std::getenv("MU_REACHED") != nullptr) std::atexit(mu_written);
}
}  // namespace
"""


CONSTANT = re.compile(r"(?m)^( *)((?:static |inline )*)constexpr ([\w:<>, ]+ \w+ = .*MU\(\d+\).*)$")


def computed_late(text):
    """Constants with a switch, as variables that are computed when the program starts."""
    def variable(match):
        storage = "" if match[1] and not match[2] else "static " if not match[2] else "inline "
        if match[1] and match[2]:
            storage = "inline static "
        return f"{match[1]}{storage}{match[3].replace('MU(', 'MU_LATE(')}"
    return CONSTANT.sub(variable, text)


def quoted(name):
    return re.sub(r"([\\,\[\]])", r"\\\1", name)


def put(path, text):
    """Writes a file unless it has that text: what is older is not built anew."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


class Laboratory:
    """The tree of a commit, its build, and the test programs."""

    def __init__(self, out, jobs):
        self.out, self.tree, self.jobs = out, out / "tree", jobs
        self.sources = {}  # by file: text without switches
        self.seconds, self.reaching = {}, {}  # by (program, test): seconds; by id: tests

    def build(self, programs):
        """Whether test programs are built. Of all programs every fault is wanted, of one the first is enough."""
        command = ["cmake", "--build", self.out / "build", "--parallel", str(self.jobs), "--target"]
        command += [f"test_{program}" for program in programs] + (["--", "-k", "0"] if programs == PROGRAMS else [])
        with open(self.out / "build.log", "w") as log:
            return subprocess.run(command, stdout=log, stderr=log).returncode == 0

    def run(self, program, arguments, seconds, **environment):
        """The status of a test program; None where it takes longer. Its folder is that of the build: a mutant may write."""
        folder = self.out / "build/tests"
        command = ["prlimit", f"--as={8 << 30}", folder / f"test_{program}", *arguments]
        try:
            return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  cwd=folder, timeout=seconds, env={**os.environ, **environment}).returncode  # fmt: skip
        except subprocess.TimeoutExpired:
            return None

    def passes(self, program, tests, **environment):
        """Whether tests of a program pass in the time they may take."""
        seconds = 10 + 3 * sum(self.seconds[program, test] for test in tests)
        chosen = ",".join(quoted(test) for test in tests)
        arguments = ["--abort"] + ([chosen] if len(chosen) < 100_000 else [])
        return self.run(program, arguments, seconds, **environment) in (0, SKIPPED)

    def switch(self, mutants):
        """Builds a program with every mutant; those that cannot be chosen in it."""
        known = self.out / "alone"  # what an ended run found
        alone = {m for m in mutants if known.exists() and repr(m.key()) in known.read_text().splitlines()}
        tests = self.tree / "tests/CMakeLists.txt"  # smaller units: what is built alone is built by all jobs
        put(tests, tests.read_text().replace("bloomlab_unity(test_${name} 60)", "bloomlab_unity(test_${name} 8)"))
        main = self.tree / "tests/catch_main.cpp"
        if "mu_chosen" not in main.read_text():
            main.write_text(main.read_text() + RECORDER)
        while True:
            self.texts = {}
            for file, text in self.sources.items():
                here = [m for m in mutants if m.file == file and m not in alone]
                self.texts[file], left = switched(text, here)
                alone.update(left)
                put(self.tree / file, self.texts[file])
            if self.build(PROGRAMS):
                return alone
            faulty = re.compile(r"^(?:In function .*\n +inlined from .* at )?(/\S+?):(\d+):\d+(?:: (?:fatal )?(?:error|note|  )|[,:]$)", re.M)
            log = (self.out / "build.log").read_text()
            lines = {(os.path.relpath(f[1], self.tree), int(f[2])) for f in faulty.finditer(log)}
            for more in (0, 3):  # a statement is named by its first line
                faults = {m for m in mutants if m not in alone for file, line in lines
                          if m.file == file and m.first_line - more <= line <= m.last_line}  # fmt: skip
                if faults:
                    break
            print(f"{len(faults)} cannot be chosen while a program runs", flush=True)
            if not faults:
                sys.exit(f"the build fails without any mutant: see {self.out}/build.log")
            alone |= faults
            known.write_text("".join(f"{m.key()!r}\n" for m in alone))

    def observe(self):
        """How long each test takes, and which mutants it reaches."""
        def one(program, test):
            file = self.out / f"reached-{program}-{hashlib.sha256(test.encode()).hexdigest()[:16]}"
            began = time.monotonic()
            status = self.run(program, [quoted(test)], 1200, MU_REACHED=str(file))
            if status not in (0, SKIPPED):
                sys.exit(f'the test "{test}" of {program} fails without any mutant')
            return program, test, time.monotonic() - began, [int(line) for line in file.read_text().split()]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            waiting = []
            for program in PROGRAMS:
                names = subprocess.run([self.out / "build/tests" / f"test_{program}", "--list-test-names-only"],
                                       stdout=subprocess.PIPE, text=True).stdout  # fmt: skip
                waiting += [pool.submit(one, program, name) for name in names.splitlines() if name]
            for done in concurrent.futures.as_completed(waiting):
                program, test, seconds, ids = done.result()
                self.seconds[program, test] = seconds
                for id in ids:
                    self.reaching.setdefault(id, {}).setdefault(program, []).append(test)


def programs_of(mutant):
    return ("theory", "core") if mutant.file.startswith("core/theory/") else (mutant.file.split("/")[0],)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--commit", default="HEAD")
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parents[1] / "build/mutants")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    began = time.monotonic()
    os.chdir(HERE.parents[1])
    commit = subprocess.run(["git", "rev-parse", options.commit], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    out = options.out.resolve()
    drawn_by = f"seed {options.seed}, {options.mutants} mutants, commit {commit}\n"
    if options.fresh and (out / "drawn_by").exists():
        shutil.rmtree(out)
    (out / "tree").mkdir(parents=True, exist_ok=True)
    if not (out / "drawn_by").exists():
        archive = subprocess.Popen(["git", "archive", commit], stdout=subprocess.PIPE)
        subprocess.run(["tar", "x", "-C", out / "tree"], check=True, stdin=archive.stdout)
        (out / "drawn_by").write_text(drawn_by)
    if (out / "drawn_by").read_text() != drawn_by:
        sys.exit(f"{out} holds {(out / 'drawn_by').read_text().strip()}; take another --out, or --fresh")

    # What a source holds comes from the commit: in the tree an ended run may have left switches.
    laboratory = Laboratory(out, int(os.environ.get("BLOOMLAB_JOBS", 0)) or os.cpu_count() or 2)
    listed = subprocess.run(["git", "ls-tree", "-r", "--name-only", commit, *MODULES], check=True, stdout=subprocess.PIPE, text=True).stdout
    sources = {}
    for file in sorted(f for f in listed.split() if f.endswith((".cpp", ".hpp"))):
        sources[file] = subprocess.run(["git", "show", f"{commit}:{file}"], check=True, stdout=subprocess.PIPE, text=True).stdout
    everything = [m for file, text in sources.items() for m in places(file, text)]
    everything.sort(key=lambda m: hashlib.sha256(f"{options.seed} {m.key()}".encode()).digest())
    drawn = everything[: options.mutants + options.mutants // 4 + 20]  # some do not compile
    for id, mutant in enumerate(drawn):
        mutant.id = id
    print(f"{len(everything)} places; building a program with {len(drawn)} of them in {out}/build", flush=True)
    laboratory.sources = {m.file: sources[m.file] for m in drawn}

    configure = ["cmake", "-S", out / "tree", "-B", out / "build", "-G", "Ninja", "-D", "CMAKE_BUILD_TYPE=RelWithDebInfo",
                 "-D", "CMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1", "-D", f"CMAKE_CXX_FLAGS=-w -Wno-narrowing -include {out}/mu.hpp",
                 "-D", "BLOOMLAB_UNITY=ON", "-D", "BLOOMLAB_BUILD_TESTS=ON"]  # fmt: skip
    put(out / "mu.hpp", SWITCH.format(count=len(drawn)))
    with open(out / "configure.log", "w") as log:
        if subprocess.run(configure, stdout=log, stderr=log).returncode != 0:
            sys.exit(f"see {out}/configure.log")
    alone = laboratory.switch(drawn)
    print(f"built after {(time.monotonic() - began) / 60:.0f} min; which test reaches which mutant?", flush=True)
    laboratory.observe()
    # What no test reaches while it runs the compiler may have computed: that is tried alone, too.
    alone |= {m for m in drawn if m.id not in laboratory.reaching}
    print(f"after {(time.monotonic() - began) / 60:.0f} min; {len(alone)} are built alone", flush=True)

    equivalents = {tuple(line.split("\t")[:4]) for line in (HERE / "equivalent_mutants.tsv").read_text().splitlines()}
    record = out / "mutants.tsv"
    outcomes = {}
    for line in record.read_text().splitlines() if record.exists() else []:
        file, number, column, old, new, outcome = line.split("\t")[:6]
        outcomes[(file, int(number), int(column), old, new)] = outcome

    def note(mutant, outcome, seconds):
        names = (mutant.file, mutant.words, mutant.old, mutant.new), (mutant.file, "*", "*", "*")
        if outcome == "survived" and equivalents.intersection(names):
            outcome = "equivalent"
        outcomes[mutant.key()] = outcome
        with open(record, "a") as lines:
            print(*mutant.key(), outcome, f"{seconds:.0f}", sep="\t", file=lines)
        print(f'{len(outcomes):4d}  {outcome:10s} {mutant.file}:{mutant.line}:{mutant.column}  "{mutant.old}" -> "{mutant.new}"  ({seconds:.0f} s)',
              flush=True)  # fmt: skip

    def late():
        return options.minutes and time.monotonic() - began > 60 * options.minutes

    def chosen(mutant):
        start = time.monotonic()
        if late():
            return mutant, None, 0
        reaching = laboratory.reaching[mutant.id]
        passed = all(laboratory.passes(program, reaching[program], MU_ACTIVE=str(mutant.id))
                     for program in programs_of(mutant) if program in reaching)  # fmt: skip
        return mutant, "survived" if passed else "killed", time.monotonic() - start

    def built_alone(mutant):
        start = time.monotonic()
        for file, text in laboratory.texts.items():
            put(laboratory.tree / file, mutant.changed(laboratory.sources[file]) if file == mutant.file else text)
        outcome = "survived"
        for program in programs_of(mutant):
            tests = [test for of, test in laboratory.seconds if of == program]
            if not laboratory.build([program]):
                outcome = "no program"
            elif not laboratory.passes(program, tests):
                outcome = "killed"
            if outcome != "survived":
                break
        note(mutant, outcome, time.monotonic() - start)

    def tried(mutants):
        return sum(outcomes.get(m.key(), "no program") != "no program" for m in mutants)

    # Those in one build first, several at a time; then those alone, all of a source behind each other.
    wanted = drawn[: options.mutants]
    with concurrent.futures.ThreadPoolExecutor(laboratory.jobs) as pool:
        for mutant, outcome, seconds in pool.map(chosen, [m for m in wanted if m not in alone and m.key() not in outcomes]):
            if outcome:
                note(mutant, outcome, seconds)
    if not options.quick:
        # A header of no kernels, which most units include, comes last.
        def dear(m):
            return m.file.endswith(".hpp") and "-inl" not in m.file, m.key()
        for mutant in sorted((m for m in wanted if m in alone), key=dear):
            if mutant.key() not in outcomes and not late():
                built_alone(mutant)
        for mutant in drawn[options.mutants :]:
            if tried(drawn) >= options.mutants or late():
                break
            if mutant.key() not in outcomes:
                built_alone(mutant) if mutant in alone else note(*chosen(mutant))

    number = {name: sum(o == name for o in outcomes.values()) for name in ("killed", "survived", "equivalent", "no program")}
    counted = number["killed"] + number["survived"]
    share = f" ({100 * number['killed'] / counted:.1f} %)" if counted else ""
    left = sum(m.key() not in outcomes for m in wanted)
    print(f"commit {commit[:8]}, seed {options.seed}: {number['killed']} of {counted} mutants killed{share}; {number['survived']} survived, "
          f"{number['equivalent']} equivalent, {number['no program']} did not compile, {left} not tried")  # fmt: skip


if __name__ == "__main__":
    main()
