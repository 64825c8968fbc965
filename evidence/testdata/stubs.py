"""Reads file names from standard input and prints every stub function of each
file as CPython's own parser and tokenizer see it: path, line, last line,
symbol and reason, separated by tabs; «! path» for a file it cannot parse."""
import ast
import io
import re
import sys
import tokenize
import warnings

warnings.simplefilter("ignore")
MARK = re.compile(
    r"\b(TODO|FIXME)\b|^[\s#]*(?i:todo|fixme)\b"
    r"|(?i:\b(not[\s_-]*(yet[\s_-]*)?(been[\s_-]*)?implemented|unimplemented|isn'?t\s+implemented|implement[\s_]+me)\b)"
)


SYSTEM = re.compile(r"(?i)\bplatform|\bwindows\b|\bthis system\b")


def comments_of(source):
    found = {}
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.COMMENT:
            found[token.start[0]] = token.string
    return found


def is_raise(node):
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    exc = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    if isinstance(node.exc, ast.Call) and any(
        isinstance(a, ast.Constant) and isinstance(a.value, str) and SYSTEM.search(a.value) for a in node.exc.args
    ):
        return False  # it leaves out a system, and no work
    return isinstance(exc, ast.Name) and exc.id == "NotImplementedError"


def is_text(node):
    if not isinstance(node, ast.Expr):
        return False
    if isinstance(node.value, ast.JoinedStr):
        return not any(isinstance(v, ast.FormattedValue) for v in node.value.values)
    return isinstance(node.value, ast.Constant) and isinstance(node.value.value, (str, bytes))


def is_ellipsis(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def is_placeholder(node):
    if not isinstance(node, ast.Return):
        return False
    value = node.value
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value = value.operand
    if value is None:
        return True
    if isinstance(value, ast.Constant):
        return value.value in (None, True, False, 0, 1, "", ...)
    if isinstance(value, (ast.List, ast.Tuple)):
        return not value.elts
    if isinstance(value, ast.Dict):
        return not value.keys
    return (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
        and value.func.id in ("list", "dict", "set", "tuple", "str") and not value.args and not value.keywords
    )


def is_call(node, *names):
    """Whether a statement is a call, or a raise of one, of what is named so, written with dots."""
    if isinstance(node, ast.Raise):
        node = node.exc
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        node = node.value
    else:
        return False
    if isinstance(node, ast.Call):
        node = node.func
    return node is not None and ast.unparse(node) in names


def is_skip(node):
    if isinstance(node, ast.Raise):
        return is_call(
            node, "unittest.SkipTest", "unittest.case.SkipTest", "SkipTest",
            "pytest.skip.Exception", "pytest.xfail.Exception",
        )
    return is_call(node, "self.skipTest", "pytest.skip", "pytest.xfail")


LINES = []  # of the file at hand, as bytes


def written(node):
    """A literal as it stands in the source; None over several lines."""
    if node.lineno != node.end_lineno:
        return None
    return LINES[node.lineno - 1][node.col_offset:node.end_col_offset]


def constant(node):
    """The type, value and text of a literal, or None."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    if negative:
        node = node.operand
    if isinstance(node, ast.Constant) and node.value is not ... and not isinstance(node.value, bytes):
        return type(node.value), node.value, negative, written(node)
    return None


def reckoned(node):
    return (
        isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult))
        and all(isinstance(x, ast.Constant) and type(x.value) is int for x in (node.left, node.right))
    )


def same(a, b):
    numbers = [x for x in (a, b) if reckoned(x) or constant(x) and constant(x)[0] in (int, float, bool)]
    if (reckoned(a) or reckoned(b)) and len(numbers) == 2:
        return True
    return constant(a) is not None and constant(a) == constant(b)


def holds(node):
    """Whether a condition is true and made of literals alone."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return isinstance(node.operand, ast.Constant) and node.operand.value is False
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.Is)):
        return same(node.left, node.comparators[0])
    return constant(node) is not None and bool(constant(node)[1])


CHECKS = {
    "assertTrue": lambda a: holds(a[0]), "assert_": lambda a: holds(a[0]), "failUnless": lambda a: holds(a[0]),
    "assertFalse": lambda a: constant(a[0]) is not None and not constant(a[0])[1] and constant(a[0])[1] != "",
    "assertIsNone": lambda a: constant(a[0]) is not None and constant(a[0])[1] is None,
    "assertIsNotNone": lambda a: constant(a[0]) is not None and bool(constant(a[0])[1]),
}
for name in ("assertEqual", "assertEquals", "assertIs", "assertAlmostEqual"):
    CHECKS[name] = lambda a: len(a) > 1 and same(a[0], a[1])


def is_vacuous(node):
    if isinstance(node, ast.Assert):
        return holds(node.test)
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    call = node.value
    check = CHECKS.get(call.func.attr) if isinstance(call.func, ast.Attribute) else None
    owner = check and isinstance(call.func.value, ast.Name) and call.func.value.id == "self"
    return bool(owner and call.args and check(call.args))


HARMLESS = re.compile(
    r"^(print|log|debug|info|warn|warning|error|exception|sleep|suppress|fail|exit|die|skipTest|list|dict|set|tuple|str|int|len|repr|[A-Z]\w*"
    r"|assert(True|False|Equal|Is\w*)|isinstance|filldedent|bool|float|bytes|range|format|notice)$"
)


def does_little(node):
    """Whether a body sets and calls nothing but what prints, fails or makes values."""
    for s in node.body:
        for n in ast.walk(s):
            if isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await, ast.Delete, ast.AugAssign)):
                return False
            if isinstance(n, (ast.Attribute, ast.Subscript)) and isinstance(n.ctx, ast.Store):
                return False
            if isinstance(n, ast.Call):
                name = n.func.attr if isinstance(n.func, ast.Attribute) else getattr(n.func, "id", "")
                if not HARMLESS.match(name):
                    return False
    return True


class Reader:
    def __init__(self, path, source):
        self.path, self.source, self.comments = path, source, None  # read when they are asked for
        self.found = []

    def marked(self, node, statements):
        first = max(node.lineno, min((s.lineno for s in statements), default=node.lineno) - 200)
        header = node.args.args[-1].lineno if node.args.args else node.lineno
        first = max(first, header)
        if self.comments is None:
            self.comments = comments_of(self.source)
        return any(MARK.search(self.comments[n]) for n in range(first, node.end_lineno + 1) if n in self.comments)

    def reason(self, node):
        """Why the body has no substance, or None."""
        seen = set()
        inner = None
        for s in node.body:
            if isinstance(s, ast.Pass):
                seen.add("pass")
            elif is_raise(s):
                seen.add("not_implemented")
            elif is_ellipsis(s):
                seen.add("ellipsis")
            elif is_text(s):
                seen.add("docstring_only")
            elif node.name.startswith("test") and is_skip(s):
                seen.add("skipped_test")
            elif node.name.startswith("test") and is_vacuous(s):
                seen.add("vacuous_test")
            elif is_placeholder(s):
                seen.add("placeholder_return")
            elif isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef)) and self.reason(s):
                inner = inner or self.reason(s)
            else:
                return None
        if "placeholder_return" in seen and "not_implemented" not in seen and not self.marked(node, node.body):
            return None
        for reason in ("not_implemented", "skipped_test", "vacuous_test", "placeholder_return", "pass", "ellipsis"):
            if reason in seen:
                return reason
        if inner:
            return inner
        return "docstring_only"

    def visit(self, node, prefix):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                symbol = prefix + child.name
                if not isinstance(child, ast.ClassDef):
                    reason = self.reason(child) or (does_little(child) and "?")
                    if reason:
                        self.found.append((child.lineno, child.end_lineno, symbol, reason))
                self.visit(child, symbol + ".")
            elif not isinstance(child, ast.expr):  # an expression defines nothing
                self.visit(child, prefix)


for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        with open(path, "rb") as f:
            source = f.read()
        LINES[:] = source.split(b"\n")
        reader = Reader(path, source)
        reader.visit(ast.parse(source), "")
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        print("!", path, sep="\t")
        continue
    for row in sorted(reader.found):
        print(path, *row, sep="\t")
