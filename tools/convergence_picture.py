#!/usr/bin/env python3
"""Stiff contact forces tend to impacts in an instant: measures how fast and draws docs/pictures/stiff_limit.svg.

A ball falls on a floor and bounces once. Its height at the end under a contact force is compared with that of the
event-driven scene, whose restitution is the one that the force returns. Prints the slopes.

    tools/convergence_picture.py [TOOL]        TOOL: the program carom, ./carom if left out
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ASKED = 0.7
FALL = 0.5  # m
STIFFNESSES = [10 ** (p / 2) for p in range(9, 23)]

SCENE = """
gravity = 9.81
duration = 0.9
[[body]]
name = "ball"
shape = {{type = "sphere", radius = 0.1}}
mass = 1
position = [0, {height}]
[[wall]]
name = "floor"
shape = "plane"
"""


def returned_by_hunt_crossley(asked):
    """The e that F = k d^n (1 + D d'/v0) with D = 3 (1 - e) / 2 returns: D (1 + e) = ln((1 + D) / (1 - e D))."""
    damping = 1.5 * (1 - asked)
    low, high = 0.0, min(1.0, 1 / damping - 1e-12)
    for _ in range(100):
        e = 0.5 * (low + high)
        if damping * (1 + e) < math.log((1 + damping) / (1 - e * damping)):
            high = e
        else:
            low = e
    return 0.5 * (low + high)


def height_at_the_end(tool, head, folder):
    scene = folder / "ball.toml"
    scene.write_text(head + SCENE.format(height=0.1 + FALL))
    done = subprocess.run([tool, "run", str(scene), "--json", "--out", str(folder / "out")], capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)["bodies"][0]["position"][1]


def errors_of(tool, force, eta, returned, folder):
    rigid = height_at_the_end(tool, f'law = "newton"\ncontact = {{e = {returned}}}\n', folder)
    errors = []
    for k in STIFFNESSES:
        head = (f'law = {{name = "compliant", force = "{force}"}}\nscheme = "compliant"\n'
                f"contact = {{e = {ASKED}, k = {k}, eta = {eta}}}\n")
        errors.append(abs(height_at_the_end(tool, head, folder) - rigid) / FALL)
    return errors


def slope_of(errors):
    """Of the stiffer half, by least squares of the logarithms."""
    points = [(math.log(k), math.log(e)) for k, e in zip(STIFFNESSES, errors)][len(errors) // 2:]
    x = sum(p[0] for p in points) / len(points)
    y = sum(p[1] for p in points) / len(points)
    return sum((p[0] - x) * (p[1] - y) for p in points) / sum((p[0] - x) ** 2 for p in points)


def picture(curves):
    left, right, top, bottom = 92, 690, 92, 430
    x_low, x_high = math.log10(STIFFNESSES[0]), math.log10(STIFFNESSES[-1])
    smallest = min(min(errors) for _, _, _, errors in curves)
    largest = max(max(errors) for _, _, _, errors in curves)
    y_low, y_high = math.floor(math.log10(smallest)), math.ceil(math.log10(largest))

    def at(k, error):
        return (left + (math.log10(k) - x_low) / (x_high - x_low) * (right - left),
                bottom - (math.log10(error) - y_low) / (y_high - y_low) * (bottom - top))

    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 500" width="900" height="500" '
             'font-family="Helvetica, Arial, sans-serif" font-size="13">',
             '<rect width="900" height="500" fill="#ffffff"/>',
             '<text x="28" y="38" font-size="20" font-weight="bold" fill="#111111">'
             'Stiff contact forces tend to impacts in an instant</text>',
             '<text x="28" y="60" fill="#555555">A ball falls half a metre and bounces once: its height after 0.9 s '
             'against the event-driven scene</text>']

    def power(x, y, exponent, anchor):
        lines.append(f'<text x="{x:.1f}" y="{y:.1f}" fill="#666666" text-anchor="{anchor}">10'
                     f'<tspan dy="-5" font-size="10">{str(exponent).replace("-", "−")}</tspan></text>')

    for exponent in range(math.ceil(x_low), math.floor(x_high) + 1):
        x, _ = at(10 ** exponent, 10 ** y_low)
        lines.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" stroke="#e6e6e6"/>')
        power(x, bottom + 21, exponent, "middle")
    for exponent in range(y_low, y_high + 1):
        _, y = at(10 ** x_low, 10 ** exponent)
        lines.append(f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#e6e6e6"/>')
        power(left - 10, y + 5, exponent, "end")
    lines.append(f'<line x1="{left}" y1="{bottom}" x2="{right}" y2="{bottom}" stroke="#333333" stroke-width="1.25"/>')
    lines.append(f'<text x="{right}" y="{bottom + 46}" text-anchor="end" font-weight="bold" fill="#333333">'
                 'Stiffness k [N/m^η]</text>')
    lines.append(f'<text x="28" y="{(top + bottom) / 2}" text-anchor="middle" font-weight="bold" fill="#333333" '
                 f'transform="rotate(-90 28 {(top + bottom) / 2})">Error of the height / height of the fall</text>')
    styles = [("#0072b2", ""), ("#d55e00", "9 4"), ("#009e73", "3 3")]
    markers = ['<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{c}"/>',
               '<rect x="{x0:.1f}" y="{y0:.1f}" width="8" height="8" fill="{c}"/>',
               '<path d="M{x:.1f} {y0:.1f} l5 8 h-10 Z" fill="{c}"/>']
    for i, (name, theory, slope, errors) in enumerate(curves):
        colour, dashes = styles[i]
        points = [at(k, e) for k, e in zip(STIFFNESSES, errors)]
        path = " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        lines.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>')
        for x, y in points:
            lines.append(markers[i].format(x=x, y=y, x0=x - 4, y0=y - 4, c=colour))
        y = top + 12 + 62 * i
        lines.append(f'<line x1="712" y1="{y}" x2="748" y2="{y}" stroke="{colour}" stroke-width="2"{dashed}/>')
        lines.append(markers[i].format(x=730, y=y, x0=726, y0=y - 4, c=colour))
        lines.append(f'<text x="756" y="{y + 5}" fill="#333333">{name}</text>')
        lines.append(f'<text x="756" y="{y + 23}" fill="#666666">slope {slope:.3f}</text>'.replace("-", "−", 1))
        lines.append(f'<text x="756" y="{y + 40}" fill="#666666">expected {theory}</text>')
    return "\n".join(lines + ["</svg>", ""])


def main():
    tool = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "carom")
    curves = []
    with tempfile.TemporaryDirectory() as name:
        for force, eta, theory, returned in [("hunt-crossley", 1.5, "−2/5", returned_by_hunt_crossley(ASKED)),
                                             ("exact", 1.5, "−2/5", ASKED), ("spring-dashpot", 1, "−1/2", ASKED)]:
            errors = errors_of(tool, force, eta, returned, pathlib.Path(name))
            slope = slope_of(errors)
            curves.append((force, theory, slope, errors))
            print(f"{force:15} returns e = {returned:.6f}, slope {slope:.4f}, errors {errors[0]:.2e} ... {errors[-1]:.2e}")
    (ROOT / "docs" / "pictures" / "stiff_limit.svg").write_text(picture(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
