// Balls in space as they are seen: each is drawn as the part of it that faces whoever looks, with exact normals, from few points.

import {
  BackSide, BufferAttribute, BufferGeometry, type InstancedMesh, type Intersection, type Material, Matrix4, MeshDepthMaterial,
  type Color, type Raycaster, ShaderMaterial, Sphere, Vector3, type WebGLProgramParametersWithUniforms,
} from "three";

/** How finely balls are drawn; as dots where they are a few pixels wide. */
export enum Detail { fine, crowded, dense, dots }
const rings: Record<Detail, number> = { [Detail.fine]: 10, [Detail.crowded]: 4, [Detail.dense]: 2, [Detail.dots]: 1 };

/** Six triangles around the middle, each divided by the number of rings; a point is the direction and the part of the way to the rim. */
export function domeGeometry(detail: Detail): BufferGeometry {
  const count = rings[detail], points = [1, 0, 0], faces: number[] = [];
  const first = (ring: number) => (ring ? 1 + 3 * ring * (ring - 1) : 0);
  for (let ring = 1; ring <= count; ++ring) {
    for (let i = 0; i < 6 * ring; ++i) points.push(Math.cos((Math.PI * i) / (3 * ring)), Math.sin((Math.PI * i) / (3 * ring)), ring / count);
    for (let side = 0; side < 6; ++side)
      for (let i = 0; i < ring; ++i) {
        const outer = (k: number) => first(ring) + ((side * ring + k) % (6 * ring)), inner = (k: number) => first(ring - 1) + ((side * (ring - 1) + k) % Math.max(1, 6 * (ring - 1)));
        faces.push(outer(i), outer(i + 1), inner(i));
        if (i + 1 < ring) faces.push(inner(i), outer(i + 1), inner(i + 1));
      }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(points), 3));
  geometry.setIndex(faces);
  return geometry;
}

/** The point of the ball that a point of the geometry stands for, in the frame of the ball; of its far side where `side` is -1. */
const onBall = (side: 1 | -1) => `
mat4 seen = modelViewMatrix * instanceMatrix;
bool isNear = projectionMatrix[2][3] < -0.5;
vec3 to = ${side}.0 * (isNear ? -normalize(seen[3].xyz) : vec3(0.0, 0.0, 1.0));
float size = length(seen[0].xyz), rim = isNear ? acos(min(size / length(seen[3].xyz), 1.0)) : 1.5707963;
vec3 right = normalize(abs(to.y) < 0.9 ? vec3(to.z, 0.0, -to.x) : vec3(0.0, -to.z, to.y)), up = cross(to, right);
vec3 outward = sin(rim * position.z) * (position.x * right + position.y * up) + cos(rim * position.z) * to;
vec3 ofBall = outward * mat3(seen) / size;
`;

function showBalls(shader: WebGLProgramParametersWithUniforms): void {
  shader.vertexShader = shader.vertexShader
    .replace("#include <common>", "#include <common>\nvarying float across;")
    .replace("#include <beginnormal_vertex>", `${onBall(1)}across = ofBall.x;\nvec3 objectNormal = ofBall;`)
    .replace("#include <begin_vertex>", "vec3 transformed = ofBall;");
  shader.fragmentShader = shader.fragmentShader
    .replace("#include <common>", "#include <common>\nvarying float across;")
    .replace("#include <color_fragment>", `#include <color_fragment>
float soft = fwidth(across);
diffuseColor.rgb *= 1.0 - 0.28 * (1.0 - smoothstep(0.09 - soft, 0.09 + soft, abs(across)));`);
}
function shadeBalls(shader: WebGLProgramParametersWithUniforms): void {
  shader.vertexShader = shader.vertexShader.replace("#include <begin_vertex>", `${onBall(-1)}vec3 transformed = ofBall;`);
}

/** Draws a material on balls; one of another place draws their shadows, of the side that the light does not reach. */
export function onDomes(material: Material): void {
  material.onBeforeCompile = showBalls;
}
export function domeShadow(): MeshDepthMaterial {
  const material = new MeshDepthMaterial({ side: BackSide });
  material.onBeforeCompile = shadeBalls;
  return material;
}

export interface Lights {
  sky: Color; // with their strengths
  ground: Color;
  up: Vector3;
  suns: { from: Vector3; color: Color }[]; // two
}

/** Without shine and shadows, lit at the points of the geometry: where drawing a pixel is dear. */
export function mattBalls(color: Color, { sky, ground, up, suns }: Lights): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: {
      diffuse: { value: color }, sky: { value: sky }, ground: { value: ground }, above: { value: up },
      from: { value: suns.map((sun) => sun.from) }, suns: { value: suns.map((sun) => sun.color) },
    },
    vertexShader: `
uniform vec3 diffuse, sky, ground, above, from[2], suns[2];
varying vec3 shade;
varying float across;
void main() {
${onBall(1)}across = ofBall.x;
vec3 facing = normalize(mat3(modelMatrix) * mat3(instanceMatrix) * ofBall);
vec3 light = mix(ground, sky, 0.5 * dot(facing, above) + 0.5) + max(dot(facing, from[0]), 0.0) * suns[0] + max(dot(facing, from[1]), 0.0) * suns[1];
light *= 0.31831 * diffuse;
#ifdef USE_INSTANCING_COLOR
light *= instanceColor.rgb;
#endif
light = min(light, vec3(1.0));
shade = mix(1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, 12.92 * light, vec3(lessThanEqual(light, vec3(0.0031308))));
gl_Position = projectionMatrix * seen * vec4(ofBall, 1.0);
}`,
    fragmentShader: `
varying vec3 shade;
varying float across;
void main() {
gl_FragColor = vec4(shade * (abs(across) < 0.09 ? 0.86 : 1.0), 1.0);
}`,
  });
}

/** What a ray meets, which points of the geometry do not tell. */
export function raycastBalls(this: InstancedMesh, ray: Raycaster, hits: Intersection[]): void {
  const matrix = new Matrix4(), ball = new Sphere(), point = new Vector3();
  for (let i = 0; i < this.count; ++i) {
    this.getMatrixAt(i, matrix);
    matrix.premultiply(this.matrixWorld);
    ball.set(ball.center.setFromMatrixPosition(matrix), matrix.getMaxScaleOnAxis());
    if (!ray.ray.intersectSphere(ball, point)) continue;
    const distance = ray.ray.origin.distanceTo(point);
    if (distance >= ray.near && distance <= ray.far) hits.push({ distance, point: point.clone(), instanceId: i, object: this });
  }
}
