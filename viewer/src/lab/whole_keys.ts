// Keys of a scene as fields of a form want them.

import type { Key, Value } from "./core";

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
  return whole;
}
