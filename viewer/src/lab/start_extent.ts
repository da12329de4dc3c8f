// What the picture of a start shows: all bodies, and the walls below and beside them.

import { Quaternion, Vector3 } from "three";
import { extentOf, type Extent } from "../extent";
import type { Place, Run } from "../run";
import { pointsOf } from "../shapes";

const room = 0.12; // of the height
const far = 12; // times the size of the bodies: a wall farther away is not looked at

/** The foot of a point on a wall whose surface passes through these points. */
function foot(at: Vector3, surface: Vector3[], flat: boolean): Vector3 {
  const [a, b, c] = surface, along = b.clone().sub(a).normalize();
  const normal = flat ? new Vector3(-along.y, along.x, 0) : along.cross(c.clone().sub(a)).normalize();
  return at.clone().addScaledVector(normal, -normal.dot(at.clone().sub(a)));
}

export function startExtent(run: Run): Extent {
  const extent = extentOf(run), low = extent.low.clone(), high = extent.high.clone();
  const place: Place = { position: new Vector3(), turn: new Quaternion() };
  for (let i = 0; i < run.bodies.length; ++i)
    for (const [shape, , pose] of run.bodies[i].parts) {
      const one = run.report.scene!.shapes[shape];
      if (one.kind !== "wall") continue;
      run.place(i, 0, 0, place);
      const surface = pointsOf(one).map((p) => {
        if (pose) p.applyQuaternion(new Quaternion(pose[3], pose[4], pose[5], pose[6])).add(new Vector3(pose[0], pose[1], pose[2]));
        return p.applyQuaternion(place.turn).add(place.position);
      });
      if (surface.length < 3) continue;
      const at = foot(extent.centre, surface, run.dimension < 3);
      if (at.distanceTo(extent.centre) > far * extent.size) continue;
      low.min(at);
      high.max(at);
    }
  // room for the tools at the upper edge of the picture
  if (run.dimension < 3) high.y += room * Math.max(high.y - low.y, (high.x - low.x) / 2);
  return { low, high, centre: low.clone().add(high).multiplyScalar(0.5), size: high.clone().sub(low).length() / 2 };
}
