"""The bill of materials of Ebb, and the licences of its parts: bill.py DEPENDENCIES CHECKOUTS VERSION BILL NOTICES [LIBRARY…]

DEPENDENCIES is what `swift package show-dependencies --format json` printed, CHECKOUTS the folder with the sources. BILL becomes a
document of CycloneDX 1.5, NOTICES a text. A LIBRARY that is linked in stands as name=version=licence. The same input makes the same
bytes.
"""

import json
import pathlib
import sys


def parts(dependency, found):
    for part in dependency["dependencies"]:
        if part["identity"] not in found:
            found[part["identity"]] = part
            parts(part, found)
    return found


def licence(text):
    """The SPDX name of a licence by words that only it has. None for one that is not known."""
    words = " ".join(text.split())
    if "Runtime Library Exception" in words:
        return "Apache-2.0 WITH Swift-exception"
    if "Apache License" in words and "Version 2.0" in words:
        return "Apache-2.0"
    if "Permission is hereby granted, free of charge" in words:
        return "MIT"
    if "Redistribution and use in source and binary forms" in words:
        return "BSD-3-Clause" if "Neither the name" in words or "endorse or promote" in words else "BSD-2-Clause"
    return None


def texts(folder):
    names = ("license", "licence", "notice", "copying")
    return [path for path in sorted(folder.iterdir()) if path.is_file() and path.stem.lower().startswith(names)]


def main(dependencies, checkouts, version, bill, notices, *libraries):
    tree = json.loads(pathlib.Path(dependencies).read_text())
    components, pages = [], []
    for name, part in sorted(parts(tree, {}).items()):
        folder = pathlib.Path(checkouts) / pathlib.Path(part["path"]).name
        files = [(path.name, path.read_text(errors="replace")) for path in texts(folder)]
        known = next((found for found in (licence(text) for _, text in files) if found), None)
        if known is None:
            sys.exit(f"ebb: the licence of {name} is not known: {folder} has none that bill.py knows.")
        address = part["url"].removesuffix(".git")
        components.append(
            {
                "type": "library",
                "name": part["name"],
                "version": part["version"],
                "purl": f"pkg:swift/{address.removeprefix('https://')}@{part['version']}",
                "licenses": [{"expression": known}],
                "externalReferences": [{"type": "vcs", "url": address}],
            }
        )
        rule = "=" * 78
        pages.append(f"{rule}\n{part['name']} {part['version']} ({known})\n{address}\n{rule}\n\n")
        pages += [f"--- {file}\n\n{text.rstrip()}\n\n" for file, text in files]
    for library in libraries:
        name, number, known = library.split("=", 2)
        components.append({"type": "library", "name": name, "version": number, "licenses": [{"expression": known}]})
    program = {"type": "application", "name": "ebb", "version": version, "licenses": [{"expression": "MIT"}]}
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": program},
        "components": components,
    }
    pathlib.Path(bill).write_text(json.dumps(document, indent=2) + "\n")
    head = "Ebb is built from these parts. Their licences follow, each under the name of its part.\n\n"
    pathlib.Path(notices).write_text(head + "".join(pages))


main(*sys.argv[1:])
