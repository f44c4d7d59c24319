"""The types of the answers that are dictionaries, from the JSON Schema of the program's answers.

    oddsmith rules schema --answers | python tests/wire_types.py > python/oddsmith/_wire.pyi

A test holds the file to what this writes.
"""

from __future__ import annotations

import json
import keyword
import sys
import textwrap
from typing import Any

HEAD = '''"""The types of answers that are dictionaries. `tests/wire_types.py` wrote this from the JSON Schema of the answers."""

from fractions import Fraction
from typing import Any, Optional, TypedDict, Union

from typing_extensions import NotRequired

'''
# What is a number in Python, and an object or a text in JSON.
NUMBERS = {"Exact": "Union[Fraction, float]", "Weighted": "Union[Fraction, float]", "Fraction": "Fraction", "Decimal": "float"}
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def kind_of(schema: Any) -> str:
    """The Python type of what a schema describes."""
    if schema is True or schema == {}:
        return "Any"
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return NUMBERS.get(name, name)
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return union([kind_of(one) for one in schema[several]])
    if "enum" in schema or "const" in schema:
        return "str"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return union([of_kind(kind, schema) for kind in kinds])


def of_kind(kind: str, schema: dict[str, Any]) -> str:
    if kind == "array":
        items = schema.get("items")
        if items is None:
            items = {"anyOf": schema["prefixItems"]} if "prefixItems" in schema else True
        return f"list[{kind_of(items)}]"
    if kind == "object":
        return f"dict[str, {kind_of(schema.get('additionalProperties', True))}]"
    return PLAIN[kind]


def union(kinds: list[str]) -> str:
    kinds = list(dict.fromkeys(kinds))
    some = [kind for kind in kinds if kind != "None"]
    if not some:
        return "None"
    kind = some[0] if len(some) == 1 else f"Union[{', '.join(some)}]"
    return f"Optional[{kind}]" if len(some) < len(kinds) else kind


def fields_of(schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """The fields of an object with their types and what is said of them."""
    required = set(schema.get("required", []))
    fields = {}
    for name, field in schema.get("properties", {}).items():
        kind = kind_of(field)
        kind = kind if name in required else f"NotRequired[{kind}]"
        fields[name] = (kind, field.get("description", "") if field is not True else "")
    for part in schema.get("allOf", []):
        fields.update(fields_of(part, defs))
    for variant in schema.get("anyOf", []):
        if "$ref" in variant:
            variant = defs[variant["$ref"].rsplit("/", 1)[1]]
        for name, (kind, said) in fields_of(variant, defs).items():
            kind = kind if kind.startswith("NotRequired") else f"NotRequired[{kind}]"
            fields.setdefault(name, (kind, said))
    return fields


def definition(name: str, schema: dict[str, Any], defs: dict[str, Any]) -> str:
    if "properties" not in schema:
        return f"{name} = {kind_of(schema)}\n"
    fields = fields_of(schema, defs)
    if name == "Outcome":
        # Both are in the fraction.
        del fields["weight"], fields["total"]
        fields["probability"] = (NUMBERS["Exact"], fields["probability"][1])
    if any(keyword.iskeyword(field) for field in fields):
        lines = "".join(f'        "{field}": {kind},\n' for field, (kind, _) in fields.items())
        return f'{name} = TypedDict(\n    "{name}",\n    {{\n{lines}    }},\n)\n'
    said = textwrap.fill(schema.get("description", name), 110, subsequent_indent="    ")
    lines = "".join(f"    {field}: {kind}\n" for field, (kind, _) in fields.items())
    return f'class {name}(TypedDict):\n    """{said}"""\n\n{lines}'


def stub(schema: dict[str, Any]) -> str:
    """The stub of a schema's definitions."""
    defs = schema["$defs"]
    named = [definition(name, defs[name], defs) for name in sorted(defs) if name not in NUMBERS]
    return HEAD + "\n".join(named)


if __name__ == "__main__":
    sys.stdout.write(stub(json.load(sys.stdin)))
