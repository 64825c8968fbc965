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
            elif is_placeholder(s):
                seen.add("placeholder_return")
            elif isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef)) and self.reason(s):
                inner = inner or self.reason(s)
            else:
                return None
        if "placeholder_return" in seen and "not_implemented" not in seen and not self.marked(node, node.body):
            return None
        for reason in ("not_implemented", "placeholder_return", "pass", "ellipsis"):
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
                    reason = self.reason(child)
                    if reason:
                        self.found.append((child.lineno, child.end_lineno, symbol, reason))
                self.visit(child, symbol + ".")
            else:
                self.visit(child, prefix)


for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        with open(path, "rb") as f:
            source = f.read()
        reader = Reader(path, source)
        reader.visit(ast.parse(source), "")
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        print("!", path, sep="\t")
        continue
    for row in sorted(reader.found):
        print(path, *row, sep="\t")
