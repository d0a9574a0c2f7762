"""The tables of the race: Ebb's own figure, and for each rival how many times as much it takes, its figure beside it."""

from results import EBB, middle

# Below this a difference is none: the machines this runs on are not that quiet.
NONE = 1.5


def shown(value, unit):
    """A figure as one reads it."""
    if unit in ("s", "cpu"):
        return seconds(value)
    if unit == "bytes":
        return f"{value:.0f} B" if value < 1000 else f"{value / 1e3:.3g} kB" if value < 1e6 else f"{value / 1e6:.3g} MB"
    if unit == "MiB":
        return f"{value:.3g} MiB" if value < 1000 else f"{value:.0f} MiB"
    return f"{value:.0f}" if value == int(value) else f"{value:.3g}"


def seconds(value):
    if value < 0.001:
        return f"{value * 1000:.2f} ms"
    if value < 1:
        return f"{value * 1000:.3g} ms"
    return f"{value:.3g} s" if value < 1000 else f"{value:.0f} s"


def times(ratio):
    """A ratio with two digits; what is less than Ebb's is set off, so that it is not overlooked."""
    text = f"{ratio:.2f} ×" if ratio < 0.95 else f"{ratio:.1f} ×" if ratio < 9.95 else f"{ratio:.0f} ×"
    return f"**{text}**" if ratio < 0.95 else text


def cell(row, contestant):
    figure = row["figures"].get(contestant)
    own, value = middle(row, EBB), middle(row, contestant)
    if value is None:
        return figure["note"] if figure and figure["note"] else "–"
    text = shown(value, row["unit"])
    once = "*" if len(figure["samples"]) == 1 else ""
    if contestant == EBB or not own:
        return text + once
    return f"{times(value / own)} ({text}){once}"


def table(rows, contestants):
    """Lines of cells; the first is the head."""
    taking_part = [name for name in contestants if any(name in row["figures"] for row in rows.values())]
    lines = [["", *taking_part]]
    for title, row in rows.items():
        lines.append([title, *(cell(row, name) for name in taking_part)])
    return lines


def markdown(lines):
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rule = ["-" * width for width in widths]
    return "\n".join(
        "| " + " | ".join(text.ljust(width) for text, width in zip(line, widths)) + " |" for line in [lines[0], rule, *lines[1:]])


def text(lines):
    """The same for a terminal: columns of even width, no bars, nothing bold."""
    lines = [[cell.replace("**", "") for cell in line] for line in lines]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def not_ahead(sections):
    """The times in which a rival is before Ebb, or about as fast, one sentence each. CPU, memory and bytes are in the
    tables: a bold ratio says the same."""
    behind, even = [], []
    for section, rows in sections.items():
        for title, row in rows.items():
            own = middle(row, EBB)
            for name in row["figures"]:
                value = middle(row, name)
                if row["unit"] != "s" or name == EBB or not own or value is None or value >= own * NONE:
                    continue
                sentence = f"{section}, {title}: {name} {shown(value, row['unit'])}, Ebb {shown(own, row['unit'])}"
                (behind if value * NONE < own else even).append(sentence)
    return behind, even


def compose(results, contestants, style=markdown):
    """The whole report."""
    names = [contestant["name"] for contestant in contestants]
    parts = ["# The race", f"{results.facts['date']}, {results.facts['machine']}.", EXPLANATION]
    for section, rows in results.sections.items():
        parts += [f"## {section}", style(table(rows, names))]
    behind, even = not_ahead(results.sections)
    parts += ["## Where Ebb is not ahead", listed(behind) or "In no time by 1.5 times or more."]
    if even:
        parts += ["About as much (less than 1.5 times apart):", listed(even)]
    about = listed(f"{one['name']} {one['version']}: {one['note']}." for one in contestants)
    parts += ["## What to know about each", about]
    left_out = results.facts.get("left out")
    if left_out:
        parts.append(f"Not installed, so left out: {left_out}.")
    return "\n\n".join(part for part in parts if part) + "\n"


def listed(sentences):
    return "\n".join(f"- {sentence}" for sentence in sentences)


EXPLANATION = """\
The first column is Ebb's figure. Beside it stands how many times as much a rival takes, with its own figure. A bold
ratio is less than Ebb takes. Medians of runs in turn (Ebb, rival, Ebb, …); `*` is a single run, `–` means that the
program has no such thing. Under 1.5 times there is no difference, under 2 times a weak one. Everything is on this
machine, with a warm cache. The memory of commands and servers is only told from 9 MiB on."""
