"""Checks call edges of a map against Python's own parser.

Reads {"root", "package", "edges": [[file, caller, line, file, callee], ...]} from standard input and prints one JSON
object. Written without a look at our resolver: a call is looked up by binding rules on `ast` trees, and an edge is right
if the callee is among the definitions the called name can be bound to.
"""
import ast
import json
import os
import sys

given = json.load(sys.stdin)
ROOT, PACKAGE = given["root"], given["package"]
trees = {}


def tree_of(file):
    if file not in trees:
        try:
            with open(os.path.join(ROOT, file), encoding="utf-8") as handle:
                trees[file] = ast.parse(handle.read())
        except (OSError, SyntaxError, ValueError):
            trees[file] = None
    return trees[file]


def module_file(parts):
    """The file of a dotted name below the root; the package's own name may stand first."""
    if parts and parts[0] == PACKAGE:
        found = module_file(parts[1:])
        if found:
            return found
    path = "/".join(parts)
    for file in ((path + ".py") if path else None, os.path.join(path, "__init__.py")):
        if file and os.path.isfile(os.path.join(ROOT, file)):
            return file
    return None


def source_of(file, node):
    """The file an import statement takes its names from."""
    if node.level == 0:
        return module_file((node.module or "").split("."))
    folder = os.path.dirname(file).split("/") if os.path.dirname(file) else []
    folder = folder[: len(folder) - (node.level - 1)] if node.level > 1 else folder
    path = "/".join(folder + (node.module.split(".") if node.module else []))
    for candidate in ((path + ".py") if path else None, os.path.join(path, "__init__.py")):
        if candidate and os.path.isfile(os.path.join(ROOT, candidate)):
            return candidate
    return None


def statements(body):
    """Statements of one scope, also those inside if, try, for and with."""
    for node in body:
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for field in ("body", "orelse", "finalbody"):
            yield from statements(getattr(node, field, []))
        for handler in getattr(node, "handlers", []):
            yield from statements(handler.body)


def bindings(file, body, prefix, name, depth=0):
    """Everything a name can be bound to in one scope: ("def", file, qualified, node) or ("module", file)."""
    found = []
    if depth > 12:
        return found
    for node in statements(body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name:
            found.append(("def", file, prefix + name, node))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname == name:
                    target = module_file(alias.name.split("."))
                elif alias.asname is None and alias.name.split(".")[0] == name:
                    target = module_file([name])
                else:
                    continue
                if target:
                    found.append(("module", target))
        elif isinstance(node, ast.ImportFrom):
            source = source_of(file, node)
            for alias in node.names:
                if (alias.asname or alias.name) == name and alias.name != "*":
                    found += member(source, alias.name, depth + 1) if source else []
                elif alias.name == "*" and source and source != file:
                    found += member(source, name, depth + 1)
    return found


def member(file, name, depth=0):
    """A name of a module as an importer sees it."""
    tree = tree_of(file)
    found = bindings(file, tree.body, "", name, depth) if tree and depth < 12 else []
    if os.path.basename(file) == "__init__.py":
        folder = os.path.dirname(file)
        for candidate in (os.path.join(folder, name + ".py"), os.path.join(folder, name, "__init__.py")):
            if os.path.isfile(os.path.join(ROOT, candidate)):
                found.append(("module", candidate))
    return found


def chain_to(tree, qualified):
    """The definitions around a place, outermost first: every way, since a name may be defined twice."""
    ways = [[]]
    for name in qualified.split(".") if qualified else []:
        ways = [
            way + [node]
            for way in ways
            for node in statements((way[-1] if way else tree).body)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name
        ]
    return ways


def in_class(file, node, prefix, name, seen):
    """A member of a class or of its bases."""
    if (file, prefix) in seen:
        return []
    seen.add((file, prefix))
    own = bindings(file, node.body, prefix + ".", name)
    if own:
        return own
    found = []
    for base in node.bases:
        for kind, *rest in expression(file, [], base):
            if kind == "def" and isinstance(rest[2], ast.ClassDef):
                found += in_class(rest[0], rest[2], rest[1], name, seen)
    return found


def variables(function):
    """Parameters and everything assigned inside: a call through one of them has no known target."""
    names = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    return names | {one.id for one in ast.walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def expression(file, chain, node):
    """What a name or attribute can stand for, seen from inside a chain of definitions."""
    if isinstance(node, ast.Name):
        for at in range(len(chain) - 1, -1, -1):
            around = chain[at]
            if isinstance(around, ast.ClassDef) and at != len(chain) - 1:
                continue
            prefix = ".".join(one.name for one in chain[: at + 1]) + "."
            found = bindings(file, around.body, prefix, node.id)
            if found:
                return found
            if not isinstance(around, ast.ClassDef) and node.id in variables(around):
                return []
        tree = tree_of(file)
        return member(file, node.id) if tree else []
    if isinstance(node, ast.Attribute):
        found = []
        for kind, *rest in expression(file, chain, node.value):
            if kind == "module":
                found += member(rest[0], node.attr)
            elif isinstance(rest[2], ast.ClassDef):
                found += in_class(rest[0], rest[2], rest[1], node.attr, set())
        return found
    return []


def targets(file, chain, call):
    func = call.func
    method = next((i for i in range(len(chain) - 1, 0, -1) if isinstance(chain[i - 1], ast.ClassDef)), None)
    if isinstance(func, ast.Attribute) and method is not None:
        owner, node = chain[method - 1], chain[method]
        prefix = ".".join(one.name for one in chain[:method])
        if isinstance(func.value, ast.Name) and node.args.args and func.value.id == node.args.args[0].arg:
            return in_class(file, owner, prefix, func.attr, set())
        if isinstance(func.value, ast.Call) and getattr(func.value.func, "id", "") == "super":
            found = []
            for base in owner.bases:
                for kind, *rest in expression(file, [], base):
                    if kind == "def" and isinstance(rest[2], ast.ClassDef):
                        found += in_class(rest[0], rest[2], rest[1], func.attr, set())
            return found
    return expression(file, chain, func)


def is_right(edge):
    file, caller, line, to_file, callee = edge
    tree = tree_of(file)
    if tree is None:
        return False
    for chain in chain_to(tree, caller):
        around = chain[-1] if chain else tree
        for call in ast.walk(around):
            if not isinstance(call, ast.Call) or call.lineno != line:
                continue
            for kind, *rest in targets(file, chain, call):
                if kind == "def" and rest[0] == to_file and rest[1] == callee:
                    return True
    return False


wrong = [edge for edge in given["edges"] if not is_right(edge)]
print(json.dumps({"checked": len(given["edges"]), "right": len(given["edges"]) - len(wrong), "wrong": wrong}))
