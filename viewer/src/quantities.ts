// What can be plotted of a run.

import { energyColor } from "./colors";
import { titles } from "./energy";
import { splitUnit } from "./format";
import type { Quantity } from "./plots";
import type { Run } from "./run";

const names: Record<string, string> = {
  x: "Position x", y: "Position y", z: "Position z", angle: "Angle", vx: "Velocity x", vy: "Velocity y", vz: "Velocity z",
  spin: "Spin", wx: "Angular velocity x", wy: "Angular velocity y", wz: "Angular velocity z",
  fx: "Joint force x", fy: "Joint force y", fz: "Joint force z", tx: "Joint torque x", ty: "Joint torque y", tz: "Joint torque",
};

/** One column of a table of rows of things. */
function column(table: Float32Array, rows: number, things: number, width: number, thing: number, at: number): Float64Array {
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; ++row) values[row] = table[(row * things + thing) * width + at];
  return values;
}

export function quantitiesOf(run: Run, colors: string[]): Quantity[] {
  const list: Quantity[] = [], moving = run.moving, frames = run.times.length;
  const bodies = moving.map((body) => run.nameOf(body));
  const color = (thing: number) => colors[moving[thing]] ?? ""; // as in the animation
  const add = (table: Float32Array, columns: string[]) =>
    columns.forEach((text, at) => {
      const { name, unit } = splitUnit(text);
      if (/^q[wxyz]$/.test(name)) return;
      list.push({
        key: name, label: names[name] ?? name, unit, times: run.times, things: bodies, color,
        values: (thing) => column(table, frames, moving.length, columns.length, thing, at),
      });
    });
  const report = run.report.frames;
  if (moving.length) {
    if (run.velocities && report.velocities) add(run.velocities, report.velocities.columns);
    add(run.poses, report.poses.columns);
  }
  const energies = report.energies.columns.map((one) => splitUnit(one).name);
  list.push({
    key: "energy", label: "Energies", unit: "J", times: run.recordTimes, things: energies.map((one) => titles[one] ?? (one === "work" ? "work of loads and walls" : one)), color: (thing) => energyColor(energies[thing]),
    values: (thing) => column(run.energies, run.records.length, 1, energies.length, 0, thing),
  });
  const pairs = run.pairForces(60);
  if (pairs.length)
    list.push({
      key: "contact", label: "Contact force", unit: "N", times: run.recordTimes, things: pairs.map((pair) => pair.name), values: (thing) => pairs[thing].values,
    });
  if (run.joints && report.joints) {
    const width = report.joints.columns.length, joints = run.links.filter((link) => link.kind !== "spring" && link.kind !== "torsion");
    report.joints.columns.forEach((text, at) => {
      const { name, unit } = splitUnit(text);
      list.push({
        key: `joint ${name}`, label: names[name] ?? name, unit, times: run.recordTimes, things: joints.map((joint) => joint.name),
        values: (thing) => column(run.joints!, run.records.length, joints.length, width, thing, at),
      });
    });
  }
  const places = run.report.scene?.loads ?? [];
  if (run.loads && report.loads && places.length) {
    const columns = report.loads.columns;
    columns.forEach((text, at) => {
      const { name, unit } = splitUnit(text);
      list.push({
        key: `load ${name}`, label: (names[name] ?? name).replace("Joint", "Load"), unit, times: run.recordTimes,
        things: places.map((place, i) => `load ${i + 1} on ${run.nameOf(place[0])}`),
        values: (thing) => column(run.loads!, run.records.length, places.length, columns.length, thing, at),
      });
    });
  }
  return list;
}

/** The keys of the plots to begin with: the liveliest velocity and position, and forces. */
export function firstPlots(list: Quantity[]): string[] {
  const liveliest = (keys: string[]) => {
    let best = "", most = -1;
    for (const key of keys) {
      const quantity = list.find((one) => one.key === key);
      if (!quantity) continue;
      let low = Infinity, high = -Infinity;
      for (let thing = 0; thing < Math.min(quantity.things.length, 8); ++thing) {
        const values = quantity.values(Math.round((thing * (quantity.things.length - 1)) / 7));
        for (let i = 0; i < values.length; ++i) {
          low = Math.min(low, values[i]);
          high = Math.max(high, values[i]);
        }
      }
      if (high - low > most) [best, most] = [key, high - low];
    }
    return best;
  };
  const acts = (key: string) => {
    const quantity = list.find((one) => one.key === key);
    return quantity?.things.some((_, thing) => Array.prototype.some.call(quantity.values(thing), (value: number) => value !== 0)) ?? false;
  };
  const contact = list.find((one) => one.key === "contact")?.values(0);
  const lasting = contact && Array.from(contact).filter((force) => force > 0).length > 0.03 * contact.length;
  const forces = lasting ? "contact" : ["joint fy", "joint fz", "joint fx"].find(acts) ?? "energy";
  return [liveliest(["vx", "vy", "vz"]), liveliest(["x", "y", "z"]), forces].filter((key) => key !== "");
}
