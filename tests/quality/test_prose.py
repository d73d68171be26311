"""Comments and Markdown pages consist of sentences, not of fragments.

test_prose.py [FOLDER_OR_FILE]...

Without arguments, the whole repository is checked. Prints file:line: for each sentence with a fault. A sentence has a
fault if
- it starts with "Of" or "Likewise" or with "So many";
- it starts with "As" and has no main clause, as in "As above.";
- it starts with "Such", unless "Such a ..." is the subject of a verb;
- it has a single word, as in "Exact.";
- it starts with a preposition, a conjunction or a pronoun ("For who ...", "Without a phase.", "The same for ...") and
  has no finite verb outside of its subordinate clauses;
- it contains an idiom of which the meaning has to be guessed, such as "made small" or "leaves it at".

A comment behind code may be a noun, a number or a piece of code, but does not start with "of". Code in comments and
pages is not checked: lines with an indentation of three or more blanks, backquotes and quoted text.
"""

import ast
import io
import json
import pathlib
import re
import sys
import tokenize
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARGUMENTS = sys.argv[1:]
del sys.argv[1:]

C_FAMILY = {".cpp", ".hpp", ".cu", ".cuh", ".inc"}
HASH_COMMENTS = {".sh", ".cmake", ".txt", ".yml", ".yaml"}

# --- words ---

IDIOMS = [
    r"\b(?:make|makes|making|made) small\b",
    r"\b(?:stand|stands|standing|stood) in\b(?! the way)",
    r"\banew\b",
    r"\b(?:is|are|was|were|be|been|being) told\b(?! apart)",
    r"\bso many\b(?! \w+(?: \w+)? that\b)",
    r"\b(?:leave|leaves|leaving|left) it at\b",
    r"\b(?:come|comes|coming|came) by\b",
    r"\bwhat there is\b",
    r"\b(?:go|goes|going|went) by\b",
]

# Sentences with one of these first words need a finite verb of their own.
PREPOSITIONS = set("""about above across after against along among around at before behind below beneath beside besides
    between beyond by down during except for from in inside into like near on onto out outside over past per since
    through till to toward towards under until up upon via with within without""".split())
CONJUNCTIONS = set("and but or nor so then thus hence therefore also else otherwise only not".split())
SUBORDINATORS = set("""after although as because before if once since that though unless until when whenever where
    wherever which while who whom whose""".split())
ADVERBS = set("also then always never only just still thus often usually therefore".split())
PRONOUNS = set("it its itself this that these those they them their theirs".split())
STARTERS = PREPOSITIONS | CONJUNCTIONS | SUBORDINATORS | PRONOUNS

AUXILIARIES = set("""is are was were am isn't aren't wasn't weren't has have had hasn't haven't hadn't does do did
    doesn't don't didn't can cannot can't could couldn't may might must mustn't will won't would wouldn't shall should
    shouldn't need needs needn't it's that's there's they're we're let's""".split())

# Verbs by their base form. The forms with -s and -ed are derived.
VERBS = set("""
    accept accumulate achieve act adapt add adjust advance affect agree allocate allow alternate amount anneal
    annotate announce answer appear append apply approximate arise arrange arrive ask assert assign assume
    attach avoid await balance become begin behave belong benefit bind block borrow bound branch break bring
    build bypass calculate call cancel carry cast catch cause change charge check choose claim clarify clean
    clear close collect combine come commit communicate commute compare compete compile complete compose
    compress comprise compute concern conclude confirm connect consider consist constitute construct consume
    contain continue contribute control converge convert cope copy correspond cost count couple cover crash
    create cross cut cycle deal debug decide declare decode decompose decrease deduce default defeat define
    delay delete deliver demand denote deny depend derive describe deserialize deserve destroy destruct detect
    determine dictate differ disagree disappear discard dispatch distinguish diverge divide document dominate
    double drive drop earn eliminate embed emit emulate enable encode end enforce enqueue ensure enter enumerate
    equal escape establish evaluate examine exceed exchange exclude execute exhaust exist exit expand expect
    explain exploit export expose express extend face factor fail fall favor feed fetch fill filter find finish
    fire fit fix flatten flip flush fold follow forbid force forget form format forward free freeze gain
    generate get give go grant group grow guarantee guess halt handle happen help hide hit hold identify ignite
    ignore implement imply import improve include increase incur index indicate infer inform inherit inhibit
    initialize insert inspect install interleave interpret intersect intervene introduce invert invoke involve
    isolate iterate join judge jump justify keep kill know lack last lead leave lend lengthen let lie lift limit
    link list live load lock log look lose lower maintain make manage map mark mask master match matter maximize
    mean measure meet mention merge minimize miss model modify move multiply mutate name need neglect nest
    normalize note notify number obey observe obtain occupy occur offer omit open operate optimize order
    organize outperform overflow overlap override overwrite own pack pad parallelize parse partition pass pay
    perform permit permute pick pin place plan play point pop populate pose possess practice precede predict
    prefer preload prepare preserve prevent print probe proceed process produce profile promise prompt propagate
    propose prove provide prune publish pull push put qualify query quote raise range rank reach read reappear
    rebase rebuild receive reclaim recognize recommend reconstruct record recur redefine reduce refer refine
    refresh refuse regard register reinterpret reject relabel relate release rely remain remap remember remove
    rename render reorder repair repeat replace report represent request require rerun resemble reserve reset
    reside resize resolve respect respond restore restrict result resume resynthesize retain rethrow retry
    return reuse reveal reverse revert rewrite rotate round route run sample satisfy saturate save say scale
    scan schedule search see seem select send separate serialize serve set settle shadow share shift show shrink
    shut sign signal simplify simulate skip slow solve sort span spare spawn speak specify speed spend spill
    split stall stand start state stay stem step stop store stress strip subtract succeed suffice suggest suit
    sum supply support suppose surround survive suspend swap switch synchronize synthesize take target tell tend
    terminate test throw tie tolerate touch trace track train transform translate transmit travel traverse treat
    trigger trim truncate trust try turn uncompute underflow undergo understand undo unify unlock unpack unroll
    unwind update use validate value vanish vary verify violate visit vote wait walk want warn waste watch weigh
    widen win witness work wrap write yield""".split())
IRREGULAR = {"became", "began", "bound", "broke", "brought", "built", "came", "chose", "cost", "cut", "fell", "found",
             "gave", "got", "went", "grew", "held", "kept", "knew", "led", "left", "lay", "lost", "made", "meant",
             "met", "put", "ran", "read", "said", "saw", "sent", "set", "showed", "split", "stood", "took", "told",
             "threw", "tied", "understood", "won", "wrote"}
# These are at least as often nouns, so that their neighbours decide.
ALSO_NOUNS = set("""
    act advance answer block bound branch break call cast cause change charge check claim clean clear close complete
    control copy cost count couple cover crash cross cut cycle deal debug default delay demand document double
    drive end equal exchange exit express factor fall feed fill filter fire fit fix flip fold force form format
    free gain grant group guess help hit hold index jump lack last lead let limit link list live load lock log
    look lower map mark mask master match matter mean measure mention model move name nest note number offer
    open order overflow overlap override own pad partition pass pay pick pin place plan play point pop practice
    print probe process profile promise prompt prune pull push query quote range rank reach read record release
    repeat report request reserve reset respect result return reverse round route run sample scale scan schedule
    search separate set shadow share shift show sign signal skip slow sort span speed split stand start state
    stay stem step stop store stress strip sum supply support swap switch target test tie touch trace track
    train transform travel trust try turn update use value visit vote wait walk waste watch witness work wrap
    yield""".split())
BEFORE_A_NOUN = set("""the a an of its their this that these those each every any all no some both other another such
    many few several two three four with by for in on to from at and or more most fewer less own same first last
    next""".split())
AFTER_A_VERB = BEFORE_A_NOUN - {"of"} | set("""code as it them him us itself nothing everything into out up about only
    if whether not true false null zero""".split())

ABBREVIATIONS = ("e.g", "i.e", "etc", "vs", "al", "cf", "fig", "no", "vol", "sec", "resp", "approx",
                 "math", "comp", "phys", "rev", "lett", "proc", "trans")


def forms_with_s(verb):
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return verb + "es"
    return re.sub(r"([^aeiou])y$", r"\1ie", verb) + "s"


def forms_with_ed(verb):
    if verb.endswith("e"):
        return {verb + "d"}
    return {re.sub(r"([^aeiou])y$", r"\1i", verb) + "ed", verb + verb[-1] + "ed"}


BASE = {form: verb for verb in VERBS for form in (verb, forms_with_s(verb))}
PAST = {form for verb in VERBS for form in forms_with_ed(verb)} | IRREGULAR


def words_of(sentence):
    return re.findall(r"[A-Za-z]+(?:['\u2019][a-z]*)?|\d[\w.]*|[,;:]", sentence)


def is_finite(words, i, with_past):
    """Whether word i is a finite verb, an imperative included."""
    word = words[i].lower()
    before = words[i - 1].lower() if i > 0 else ""
    after = words[i + 1].lower() if i + 1 < len(words) else ""
    if word in AUXILIARIES:
        return True
    if before in (",", ";", ":") and after in ("the", "a", "an", "all") and word not in STARTERS | BEFORE_A_NOUN:
        return True
    if i in (1, 2) and words[0].lower() in ("it", "this", "that") and before in ADVERBS | {"it", "this", "that"} \
            and re.search(r"[^su]s$", word):
        return True
    if word in PAST and word not in BASE:
        return with_past
    if word not in BASE or (before in ("to", "not") and word in VERBS):
        return False
    if before in ("we", "you", "they", "i", "it", "who"):
        return True
    looks_like_verb = word not in ALSO_NOUNS and BASE[word] not in ALSO_NOUNS or after in AFTER_A_VERB
    if before in ("that", "which"):
        return looks_like_verb
    is_plural = re.search(r"..[^su]s$", before) and before not in AUXILIARIES | STARTERS | BEFORE_A_NOUN
    if word in VERBS and (before in (",", ";", ":") or i == 1 and before in CONJUNCTIONS or is_plural):
        return looks_like_verb or bool(is_plural)
    if BASE[word] not in ALSO_NOUNS:
        return word not in VERBS or before not in BEFORE_A_NOUN
    return before not in BEFORE_A_NOUN and (looks_like_verb or not after.isalpha())


def has_main_clause(sentence, with_past=True):
    """Whether the sentence has more finite verbs than subordinate clauses."""
    words = words_of(sentence)
    finite = [is_finite(words, i, with_past) for i in range(len(words))]
    clauses = 0
    for i, word in enumerate(map(str.lower, words)):
        if word not in SUBORDINATORS:
            continue
        end = next((j for j in range(i + 1, len(words)) if words[j] in (",", ";", ":")), len(words))
        after = words[i + 1].lower() if i + 1 < len(words) else ""
        if word == "that" and (i == 0 or words[i - 1].lower() in SUBORDINATORS | PREPOSITIONS):
            is_clause = False
        elif word == "as":
            is_clause = i > 0 and (words[i - 1] == "," or after in PRONOUNS) and any(finite[i + 1:end])
        elif word in PREPOSITIONS:
            # "after the search the circuit is written" has one clause, and "after it ends" another one.
            is_clause = after in PRONOUNS and any(finite[i + 1:end])
        elif word == "that":
            is_clause = any(finite[i + 1:end])
        else:
            is_clause = any(finite[i + 1:end])  # "if possible" is none
        clauses += is_clause
    return sum(finite) > clauses


# --- faults ---


def plain(text):
    """The text without code, quotations, links and emphasis, which a noun replaces."""
    text = re.sub(r"``.*?``|`[^`]*`", lambda found: " = ".join(["Code"] * (1 + ("=" in found[0]))), text)
    text = re.sub(r'"[^"]*"', "Code", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>\s]*>|https?://\S+", "Code", text)
    text = re.sub(r"\s(?:[=<>]|[!<>=]=)\s", " is ", text)
    return re.sub(r"(?<!\w)[*_]{1,3}|[*_]{1,3}(?!\w)", "", text)


def sentences_of(text):
    """The sentences of a paragraph with the offsets of their first characters."""
    start = 0
    for end in re.finditer(r"[.!?][)\"']*(?=\s+[\"'(\[`*]*[A-Z0-9])|[.!?]?\s*$", text):
        before = text[start:end.start()].rstrip(".")
        if end.end() < len(text) and before.lower().endswith(ABBREVIATIONS) \
                and re.search(r"(?:^|[\s(])(?:%s)$" % "|".join(map(re.escape, ABBREVIATIONS)), before, re.I):
            continue
        sentence = text[start:end.end()]
        stripped = sentence.strip()
        if stripped:
            yield start + len(sentence) - len(sentence.lstrip()), stripped
        start = end.end()


def fault_of(sentence, is_label=False):
    """What is wrong with a sentence, or None. Labels are comments behind code, headings and table cells."""
    text = plain(sentence)
    for idiom in IDIOMS:
        if found := re.search(idiom, text, re.I):
            return f"the idiom '{found[0]}'"
    words = [word for word in words_of(text) if word.isalnum() or "'" in word]
    if not words:
        return None
    first, second = words[0].lower(), words[1].lower() if len(words) > 1 else ""
    if not text.lstrip("([*- ").startswith(words[0]):
        return None
    if first == "of":
        return "starts with 'of'"
    if first == "likewise" or (first == "so" and second == "many"):
        return f"starts with '{words[0]}'"
    if is_label or not words[0][0].isupper():
        return None
    if len(words) == 1:
        is_name = text.strip(" .") == "Code" or words[0].isupper() and len(first) > 1
        return None if is_name or text.strip().endswith(":") else "a single word"
    if first == "such":
        return None if second in ("a", "an") and has_main_clause(text) else "starts with 'Such'"
    if first == "as":
        verbs = sum(is_finite(words, i, False) for i in range(len(words)))
        is_sentence = any(has_main_clause(part) for part in text.split(", ")[1:]) or \
            verbs > (0 if re.match(r"As (?:few|many|much) .*\bas possible\b", text) else 1)
        return None if is_sentence else "'As' without a main clause"
    if first == "to" and second in VERBS:
        return None
    if first == "that":
        has_verb = any(is_finite(words, i, True) for i in range(len(words)))
        return None if has_verb else "starts with 'That' and has no verb"
    if first in STARTERS or (first, second) == ("the", "same"):
        return None if has_main_clause(text) else f"starts with '{words[0]}' and has no main clause"
    return None


# --- comments ---


def comments_of_c(text):
    """(line, text, is_label) for each comment of C++ or CUDA code."""
    token = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'", re.S)
    for found in token.finditer(text):
        if not found[0].startswith(("//", "/*")):
            continue
        line_start = text.rfind("\n", 0, found.start()) + 1
        behind_code = text[line_start:found.start()].strip() != ""
        line = text.count("\n", 0, found.start()) + 1
        if found[0].startswith("/*"):
            for i, part in enumerate(found[0][2:-2].split("\n")):
                yield line + i, re.sub(r"^\s*[*!<]* ?", "", part), behind_code
        else:
            yield line, re.sub(r"^//+[!<]* ?", "", found[0]), behind_code


def comments_of_python(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], re.sub(r"^#+:? ?", "", token.string), token.line[:token.start[1]].strip() != ""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.body and isinstance(node.body[0], ast.Expr) and ast.get_docstring(node, clean=False) is not None:
                first = node.body[0].lineno
                indent = node.body[0].col_offset
                for i, line in enumerate(ast.get_docstring(node, clean=False).split("\n")):
                    yield first + i, line[indent:] if not line[:indent].strip() else line, False
                yield first + i + 1, "", False


def comments_of_scripts(text):
    """Comments that start with # of CMake and shell files."""
    for number, line in enumerate(text.split("\n"), 1):
        if number == 1 and line.startswith("#!"):
            continue
        without_text = re.sub(r'"(?:\\.|[^"\\])*"|\'[^\']*\'|\\#|\$\{?#', lambda found: "x" * len(found[0]), line)
        found = re.search(r"(?:^|\s)#+(?= |$)", without_text)
        if found:
            yield number, line[found.end():].removeprefix(" "), line[:found.start()].strip() != ""


DIRECTIVE = re.compile(r"namespace\b|clang-format\b|NOLINT|NOSONAR|noqa\b|type:|shellcheck\b|pylint\b|!|-\*-")


def paragraphs_of_comments(comments):
    """Joins the lines of comments to paragraphs: (lines, is_label), with (number, text) for each line."""
    paragraph, last, in_item = [], 0, False
    for number, text, is_label in sorted(comments, key=lambda comment: comment[0]):
        text = re.sub(r"^(?:---+|===+)\s*(.*?)\s*(?:---+|===+)$", "", text.rstrip())
        in_item = in_item and bool(paragraph) and number == last + 1
        is_code = DIRECTIVE.match(text) or re.match(r"\||@|\$ |[\w-]+\s+=\s", text) or \
            not in_item and re.match(r"\s{2,}", text)
        is_item = re.match(r"[-*] |\d+\. ", text)
        in_item = in_item or bool(is_item)
        ends = not text.strip() or is_code or is_label or is_item or number != last + 1
        if paragraph and ends:
            yield paragraph, False
            paragraph = []
        last = number
        if not text.strip() or is_code:
            continue
        if is_label:
            yield [(number, text)], True
        else:
            paragraph.append((number, re.sub(r"^[-*] |^\d+\. ", "", text).strip()))
    if paragraph:
        yield paragraph, False


def paragraphs_of_markdown(text):
    text = re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), text, flags=re.S)
    paragraph, in_code = [], False
    for number, line in enumerate(text.split("\n") + [""], 1):
        if re.match(r"\s*(?:```|~~~)", line):
            in_code = not in_code
            line = ""
        is_table, is_heading = line.lstrip().startswith("|"), line.startswith("#")
        is_item = re.match(r"\s*(?:[-*+]|\d+\.) ", line)
        if paragraph and (in_code or not line.strip() or is_table or is_heading or is_item):
            yield paragraph, False
            paragraph = []
        if in_code or not line.strip() or re.match(r" {4,}", line) and not paragraph:
            continue
        if is_table:
            for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")):
                yield [(number, cell.strip())], True
        elif is_heading:
            yield [(number, line.lstrip("# "))], True
        else:
            paragraph.append((number, re.sub(r"^\s*(?:[-*+]|\d+\.) ", "", line).strip()))


def paragraphs_of_notebook(text):
    """The lines of all cells are numbered in a row."""
    before = 0
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        is_code = cell["cell_type"] == "code"
        paragraphs = paragraphs_of_comments(comments_of_python(source)) if is_code else paragraphs_of_markdown(source)
        for lines, is_label in paragraphs:
            yield [(before + number, line) for number, line in lines], is_label
        before += len(source.split("\n"))


def paragraphs_of(path, text):
    if path.suffix in C_FAMILY:
        return paragraphs_of_comments(comments_of_c(text))
    if path.suffix == ".py":
        return paragraphs_of_comments(comments_of_python(text))
    if path.suffix == ".md":
        return paragraphs_of_markdown(text)
    if path.suffix == ".ipynb":
        return paragraphs_of_notebook(text)
    return paragraphs_of_comments(comments_of_scripts(text))


def faults_of(path, text):
    """(line, fault, sentence) for each sentence with a fault."""
    for lines, is_label in paragraphs_of(path, text):
        joined = " ".join(line for _, line in lines)
        starts, length = [], 0
        for number, line in lines:
            starts.append((length, number))
            length += len(line) + 1
        for offset, sentence in sentences_of(joined):
            if re.fullmatch(r"\*\*[^*]*\*\*", sentence):  # a heading within a paragraph
                continue
            if fault := fault_of(sentence, is_label):
                yield max(number for start, number in starts if start <= offset), fault, sentence


def checked_files(arguments):
    for place in arguments or [ROOT]:
        place = pathlib.Path(place).resolve()
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            inside = path.relative_to(ROOT).parts if path.is_relative_to(ROOT) else path.parts[1:]
            if inside[0].startswith(("build", ".")) and inside[:2] != (".ci", "run") or not path.is_file():
                continue
            if path.suffix in C_FAMILY | HASH_COMMENTS | {".py", ".md", ".ipynb"} or inside[:2] == (".ci", "run"):
                if path.suffix != ".txt" or path.name == "CMakeLists.txt":
                    yield path


# --- tests ---


class Prose(unittest.TestCase):
    def test_comments_and_pages_consist_of_sentences(self):
        found, checked = [], 0
        for path in checked_files(ARGUMENTS):
            checked += 1
            name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
            for line, fault, sentence in faults_of(path, path.read_text(encoding="utf-8")):
                found.append(f"{name}:{line}: {fault}: {sentence[:120]}")
        self.assertGreater(checked, 0)
        if found:
            self.fail("\n".join([f"{len(found)} sentences with a fault", *found]))


class Finder(unittest.TestCase):
    """The check finds what it is for, and nothing else."""

    def test_fragments_are_found(self):
        for sentence in [
            "Of the time, where backtracking gets the rest.",
            "Of that in the intermediate set.",
            "Likewise.",
            "Likewise, for the right side.",
            "So many qubits.",
            "Such as these.",
            "Such gates are skipped.",
            "As above.",
            "As IonQ writes it.",
            "As if the gates with ranges took any angle, then each within its range.",
            "Exact.",
            "Zero.",
            "By its name; null if there is none.",
            "By their names in OpenQASM 2 or 3.",
            "With commas.",
            "Without its condition.",
            "Without a branch, as every other carry is one.",
            "For who only counts.",
            "For targets that offer a range of angles only.",
            "To a bit.",
            "In version 2.",
            "And the rest.",
            "But only for one of them.",
            "Not for the inside of loops.",
            "Where the content goes, and how.",
            "Where it may be: for the circuit as it is.",
            "The same for the product of numbers.",
            "Those of the set, then those of the table.",
            "That factor.",
            "It and its inverse.",
            "What a search makes small.",
            "A dummy that stands in for the table.",
            "Begins anew.",
            "The caller is told of the table.",
            "A window of so many gates.",
            "Then it leaves it at what it has.",
            "The price it comes by.",
            "The least of what there is.",
            "The name it goes by.",
        ]:
            with self.subTest(sentence):
                self.assertIsNotNone(fault_of(sentence))

    def test_sentences_are_not_found(self):
        for sentence in [
            "Returns the number of gates.",
            "Fraction of the time budget given to annealing; backtracking gets the rest.",
            "As the order is at most 2^31, the sum fits a word.",
            "As in Qiskit, a control is operand 0.",
            "As few forms as possible are computed.",
            "That is a fingerprint with seven times the bits, which no error gets past.",
            "With L lines, a key belongs in line l or, if that is full, in the next one.",
            "After the deadline the search needs about two of them.",
            "In that case we throw an exception.",
            "This also holds true on a GPU.",
            "Otherwise, return true.",
            "Not all environments support exceptions.",
            "If `x == 1`, then `y == 2`.",
            "Not every script that runs the command must be able to tell whose answer it has.",
            "Such a group of coefficients contributes zero exactly if all of them are equal.",
            "In OpenQASM 3 a carriage return ends it as well.",
            "If negated, the comparison is inverted.",
            "If there is none, the gate stays.",
            "Where all multiples of pi are dyadic, this form is unique.",
            "With ten digits for the greatest weight, sums fit 64 bits.",
            "Without a canonical basis, a coefficient may be zero in a form that does not show it.",
            "By Niven's theorem, the sine is rational at multiples of pi/6 only.",
            "To avoid this, the lock is released first.",
            "To the left of the gate there are two others.",
            "For each symbol s the unit divides every exponent.",
            "For a gate that has parameters the angles are compared.",
            "And a measurement ends the statement.",
            "But a phase between branches cannot be observed.",
            "Not every pair is coupled.",
            "Then zeta^0 .. zeta^{order/2 - 1} is a basis.",
            "The same text has a different value in each iteration.",
            "The same computation as below, with the borrow in a flag, runs on the device."
            "This is independent of the threads.",
            "These decompositions serve targets that offer only a range of angles.",
            "It saturates just above the limit.",
            "After the search the best circuit is written.",
            "Since Qiskit 1.0 the file is read by another importer.",
            "Before the first checksum, nothing is known.",
            "From then on the row never changes.",
            "Thread-safe.",
            "Empty if the cache is in memory only.",
            "Whether the gate has a weight on all operands.",
            "If empty, the matrix follows from the body.",
            "When written, the result has its angles in turns.",
            "With the product a of all qubits: b + a = 2 a b.",
            "Off by less than 2^20 for less than 2^18 bits, which Machin's formula guarantees.",
            "Equal and unequal circuits are told apart.",
            "There are so many circuits that enumeration stops.",
            "`Of` is a word.",
            'Returns a text such as "Of course".',
        ]:
            with self.subTest(sentence):
                self.assertIsNone(fault_of(sentence))

    def found_in(self, name, text):
        return [(line, sentence) for line, _, sentence in faults_of(pathlib.Path(name), text)]

    def test_comments_of_all_languages_are_read(self):
        cpp = ('/// Returns one.\n/// Of two\n/// lines. The third\n/// is good.\nint f();  ///< of it\n'
               'const char* s = "// Of text"; // expanded\n/* Exact.\n * Likewise. */\n'
               'auto r = R"(\n// Of a raw string\n)"; char c = \'"\'; // of them\n}  // namespace of\n'
               '//   Of code\n// --- of sections ---\n')
        self.assertEqual(self.found_in("a.cpp", cpp),
                         [(2, "Of two lines."), (5, "of it"), (7, "Exact."), (8, "Likewise."), (11, "of them")])
        python = ('"""Of a module.\n\nLikewise.\n"""\n\n\ndef f():\n    """Returns one.\n\n    By name.\n    """\n'
                  '    x = "# Of text"  # of it\n    # Of course\n    # not.\n')
        self.assertEqual(self.found_in("a.py", python),
                         [(1, "Of a module."), (3, "Likewise."), (10, "By name."), (12, "of it"),
                          (13, "Of course not.")])
        shell = '#!/bin/sh\n# Of it.\necho "# Of text" ${#x} # of it\n'
        self.assertEqual(self.found_in("a.sh", shell), [(2, "Of it."), (3, "of it")])
        self.assertEqual(self.found_in("CMakeLists.txt", "# Likewise.\nset(x 1)  # of x\n"),
                         [(1, "Likewise."), (2, "of x")])

    def test_pages_are_read(self):
        page = ("# Of headings\n\nA sentence\nof two lines. Of three\nlines.\n\n```\nOf code.\n```\n\n"
                "- Likewise.\n- With a link.\n\n| of it | Exact. |\n|---|---|\n| `of` | of that |\n")
        self.assertEqual(self.found_in("a.md", page),
                         [(1, "Of headings"), (4, "Of three lines."), (11, "Likewise."), (12, "With a link."),
                          (14, "of it"), (16, "of that")])

    def test_notebooks_are_read(self):
        cells = [{"cell_type": "markdown", "source": ["# A title\n", "\n", "Of three lines."]},
                 {"cell_type": "code", "source": ["x = 1  # of it\n", "# Likewise."]}]
        self.assertEqual(self.found_in("a.ipynb", json.dumps({"cells": cells})),
                         [(3, "Of three lines."), (4, "of it"), (5, "Likewise.")])

    def test_abbreviations_do_not_end_a_sentence(self):
        self.assertEqual([text for _, text in sentences_of("It is 2, e.g. Of two. See Barenco et al. Of it.")],
                         ["It is 2, e.g. Of two.", "See Barenco et al. Of it."])


if __name__ == "__main__":
    unittest.main()
