// Bodies that joints hold where none of their shapes is, such as links of robots: a thin line leads from the joint to the shape.

import { Vector3 } from "three";
import type { Anchor, Link } from "./data";
import { reaches } from "./extent";
import type { Run } from "./run";

const inside = 1.05; // of a shape's reach: an anchor that is nearer lies in it, or at its skin

/** Lines in the frames of the bodies, as links whose two ends are on one of them. */
export function bonesOf(run: Run): Link[] {
  const reach = reaches(run);
  const bone = ([body, point]: Anchor): Link[] => {
    if (!run.bodies[body]?.free) return [];
    const from = new Vector3(...point);
    let nearest = new Vector3(), least = Infinity; // the centre of mass, where there is no shape
    for (const [shape, size, pose] of run.bodies[body].parts) {
      const centre = new Vector3(pose?.[0] ?? 0, pose?.[1] ?? 0, pose?.[2] ?? 0), away = centre.distanceTo(from) - inside * reach[shape] * size;
      if (away <= 0) return [];
      if (away < least) [nearest, least] = [centre, away];
    }
    return from.distanceTo(nearest) > 0 ? [{ kind: "bone", name: "", a: [body, point], b: [body, [nearest.x, nearest.y, nearest.z]] }] : [];
  };
  return run.links.filter((one) => one.kind === "revolute" || one.kind === "spherical" || one.kind === "prismatic" || one.kind === "fixed").flatMap((one) => [...bone(one.a), ...bone(one.b)]);
}
