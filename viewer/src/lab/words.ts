// What the keys of scenes mean, in a few words for a form; docs/scenes.md says it in full. Laws and schemes describe
// their own parameters.

import type { Key, Value } from "./core";

type Word = [unit: string, meaning: string];

const words: Record<string, Word> = {
  duration: ["s", "how long it runs"],
  gravity: ["m/s^2", "downwards, or a vector"],
  dimension: ["", "1: along a line, 2: in the plane, 3: in space"],
  interval: ["s", "between recorded states"],
  e: ["", "restitution: 0 nothing comes back, 1 everything"],
  e_t: ["", "tangential restitution"],
  mu: ["", "Coulomb's friction"],
  mu_s: ["", "friction that holds what sticks"],
  mu_r: ["", "resistance to rolling"],
  mu_t: ["", "resistance to spin"],
  eta: ["", "exponent of the contact: force = k depth^eta"],
  E: ["Pa", "Young's modulus"],
  nu: ["", "Poisson's ratio"],
  density: ["kg/m^3", "mass per volume"],
  mass: ["kg", "of the body"],
  inertia: ["kg m^2", "about the centre of mass"],
  position: ["m", "where the origin of its shapes is"],
  velocity: ["m/s", "of the centre of mass, at the start"],
  angular_velocity: ["rad/s", "at the start"],
  angle: ["°", "how it is turned"],
  fixed: ["", "it stands, and needs no mass"],
  flexibility: ["m/N", "how far it gives way under a force"],
  radius: ["m", ""],
  length: ["m", ""],
  size: ["m", "full edges"],
  axes: ["m", "half of its diameters"],
  thickness: ["m", ""],
  count: ["", "how many"],
  gap: ["m", "between neighbours"],
  spacing: ["m", "from one to the next"],
  ratio: ["", "each is that much larger than the one before"],
  string: ["m", "length of the string that each hangs on"],
  jitter: ["m", "displaced at random by at most so much"],
  speed: ["m/s", "of each, in a random direction"],
  seed: ["", "of what is random"],
  "lift.count": ["", "how many are lifted"],
  "lift.angle": ["°", "how far they are lifted"],
  "contact.k": ["", "stiffness: force = k depth^eta"],
  "pair.k": ["", "stiffness: force = k depth^eta"],
  "spring.k": ["N/m", "stiffness"],
  "spring.c": ["N s/m", "damping"],
  "spring.rest": ["m", "length without force"],
  "torsion.k": ["N m/rad", "stiffness"],
  "torsion.c": ["N m s/rad", "damping"],
  "torsion.rest": ["°", "angle without moment"],
  force: ["N", "along the axes of the world"],
  torque: ["N m", ""],
  at_rest: ["m/s", "stop when nothing was faster for a while"],
};

/** The unit and meaning of a key that brings none. */
function withWords(key: Key): Key {
  if (key.meaning || /^(law|scheme)\./.test(key.path)) return key;
  const parts = key.path.replace(/\[\d+\]/g, "").split("."), last = parts[parts.length - 1];
  const word = words[parts.slice(-2).join(".")] ?? words[`${parts[0]}.${last}`] ?? words[last];
  return word ? { ...key, unit: key.unit ?? word[0], meaning: word[1] } : key;
}

/** Lists whose members are numbers and formulas come in pieces, position[0], position[1]: here they are one key again. */
export function wholeKeys(keys: Key[]): Key[] {
  const whole: Key[] = [];
  for (const key of keys) {
    const piece = /^(.*\.?[\w-]+)\[(\d+)\]$/.exec(key.path), last = whole[whole.length - 1];
    if (!piece || Array.isArray(key.value) || key.value === null) whole.push(key);
    else if (piece[2] === "0") whole.push({ ...key, path: piece[1], value: [key.value] });
    else if (last?.path === piece[1] && Array.isArray(last.value) && last.value.length === Number(piece[2])) (last.value as Value[]).push(key.value);
    else whole.push(key);
  }
  return whole.map(withWords);
}
