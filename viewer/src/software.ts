// Does the browser draw in software, without a graphics card? Then samples of a pixel cost as much as pixels do.

let known: boolean | null = null;

export function drawsInSoftware(): boolean {
  if (known !== null) return known;
  const gl = document.createElement("canvas").getContext("webgl2"), more = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl ? String(gl.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return (known = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name));
}
