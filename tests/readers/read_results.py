#!/usr/bin/env python3
"""Opens the results of runs with the readers that other people use, and compares what they see.

read_results.py CAROM SCENES: runs scenes in a folder of its own. Exit code 77: a reader is not installed."""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import h5py
    import numpy
    import pandas
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as missing:
    print(f"not installed: {missing.name}")
    sys.exit(77)


def check(holds, what):
    if not holds:
        print(f"wrong: {what}")
        sys.exit(1)


def run(tool, scene, out, *settings):
    command = [tool, "run", scene, "--quiet", "--out", out]
    for setting in ("record.formats=[\"csv\", \"vtk\", \"hdf5\"]", *settings):
        command += ["--set", setting]
    subprocess.run(command, check=True)


def read_vtk(path):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    check(reader.GetErrorCode() == 0, f"VTK reads {path}")
    return reader.GetOutput()


def read_csv(path):
    return pandas.read_csv(path, float_precision="round_trip")


def vectors(lists):
    """The vectors of all rows of a column "x y;x y", one after the other."""
    return [[float(x) for x in one.split()] for text in lists.dropna() for one in str(text).split(";")]


def compare_impacts(h5, impacts):
    answered = impacts[impacts["gamma_plus [m/s]"].notna()]
    points = vectors(answered["points [m]"])
    check(len(points) == len(h5["point"]), "contacts of impacts in HDF5")
    if not points:
        return
    axes = len(points[0])
    width = {1: 0, 2: 1, 3: 3}[axes]  # numbers of an angular velocity
    check(numpy.array_equal(h5["point"][:, :axes], points), "points of impacts in HDF5")
    check(numpy.array_equal(h5["normal"][:, :axes], vectors(answered["normals"])), "normals of impacts in HDF5")
    if answered["tangential_impulse [N s]"].notna().any():
        seen = numpy.array([one for one in vectors(answered["tangential_impulse [N s]"]) if any(one)])
        rubs = h5["tangential_impulse"][:, :axes]
        rubs = rubs[numpy.any(rubs != 0, axis=1)]
        check(numpy.array_equal(rubs, seen.reshape(-1, axes)), "friction of impacts in HDF5")
    for when in ("before", "after"):
        told = numpy.array(vectors(answered[f"velocities_{when} [m/s and rad/s]"]))
        check(numpy.array_equal(h5[f"velocity_{when}"][:, :axes], told[:, :axes]), f"velocities {when} in HDF5")
        spin = h5[f"angular_velocity_{when}"][:, 3 - width :] if width else told[:, axes:]
        check(numpy.array_equal(spin, told[:, axes:]), f"angular velocities {when} in HDF5")
    check(h5["offset"][-1] == len(h5["point"]) and h5["body_offset"][-1] == len(h5["body"]), "offsets in HDF5")
    check(numpy.array_equal(h5["duration"][:], impacts["duration [s]"].astype(float), equal_nan=True), "durations")


def compare(folder):
    folder = Path(folder)
    summary = json.loads((folder / "summary.json").read_text())
    names = [body["name"] for body in summary["bodies"]]
    trajectory = read_csv(folder / "trajectory.csv")
    check(all("[" in c or c.rsplit(".", 1)[-1] in ("qw", "qx", "qy", "qz") for c in trajectory.columns), "units")
    contacts = read_csv(folder / "contacts.csv")
    events = read_csv(folder / "events.csv")
    check(list(events.columns) == ["t [s]", "event", "what", "detail"], "columns of events.csv")
    impacts = read_csv(folder / "impacts.csv")
    check(len(impacts) == summary["impacts"] or summary["scheme"] == "compliant", "one row per impact")
    with h5py.File(folder / "run.h5") as h5:
        check([name.decode() for name in h5["body"]] == names, "names in HDF5")
        check(len(h5["time"]) == len(trajectory), "states in HDF5")
        check(numpy.array_equal(h5["time"][:], trajectory["t [s]"]), "times in HDF5")
        check(len(h5["contacts/force_n"]) == len(contacts), "contacts in HDF5")
        check(numpy.array_equal(h5["contacts/force_n"][:], contacts["force_n [N]"]), "forces in HDF5")
        check(all(json.loads(text) is not None for text in h5["shapes"]), "shapes in HDF5")
        check(h5["mass"].shape == (len(names),), "masses in HDF5")
        if (folder / "joints.csv").exists():
            joints = read_csv(folder / "joints.csv")
            force = h5["joints/force"][:].reshape(-1, 3)
            force = force[numpy.isfinite(force[:, 0])]  # time steps have none at their start
            check(numpy.array_equal(force[:, 0], joints["fx [N]"]), "joints in HDF5")
        compare_impacts(h5["impacts"], impacts)
        for column, name in {"time": "t [s]", "kind": "event", "what": "what", "detail": "detail"}.items():
            seen = h5[f"events/{column}"][:] if column == "time" else h5[f"events/{column}"].asstr()[:]
            check(list(seen) == list(events[name].fillna("")), f"{column} of events in HDF5")
        position = h5["position"][:]
    last = read_vtk(folder / f"states/state_{len(trajectory) - 1:06}.vtp")
    cells = last.GetCellData()
    body = vtk_to_numpy(cells.GetArray("body"))
    check(last.GetNumberOfVerts() == len(names), "a point per body in VTK")
    check(last.GetNumberOfPolys() > 0 and set(body) == set(range(len(names))), "every body has a surface in VTK")
    centres = numpy.array([last.GetPoint(i) for i in range(len(names))])
    check(numpy.allclose(centres, position[-1], atol=0), "positions in VTK")
    forces = read_vtk(folder / f"forces/force_{len(trajectory) - 1:06}.vtp")
    now = contacts[contacts["t [s]"] == trajectory["t [s]"].iloc[-1]]
    check(forces.GetNumberOfVerts() == len(now), "a point per contact in VTK")
    if len(now):
        seen = vtk_to_numpy(forces.GetCellData().GetArray("force_n"))[: len(now)]
        check(math.isclose(seen.sum(), now["force_n [N]"].sum(), rel_tol=1e-15), "forces in VTK")


tool, scenes = sys.argv[1:3]
with tempfile.TemporaryDirectory() as folder:
    for scene, settings in {
        "stack": ["duration=0.5"],
        "newtons_cradle": ["duration=1"],
        "box_of_spheres": ["duration=0.2"],
        "impact_pendulum": ["duration=1"],
        "rocking_block_shaken": ["duration=1"],
        "spinning_ellipsoid": ["duration=0.5"],
    }.items():
        out = f"{folder}/{scene}"
        run(tool, f"{scenes}/{scene}.toml", out, "record.interval=0.02", *settings)
        compare(out)
print("pandas, h5py and VTK read what was written")
