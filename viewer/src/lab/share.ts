// A scene in a link: the text, deflated, in the part of the address that is never sent to a server.

export interface Shared {
  scene: string;
  panel?: "form" | "text";
  run?: boolean; // show its run at once
  laws?: string[]; // compare these at once
  camera?: number[]; // position, target and zoom of the picture of the start
}

const mostLetters = 2_000_000; // of the text: a link that unpacks to more is not a scene

function toLetters(bytes: Uint8Array): string {
  let letters = "";
  for (let i = 0; i < bytes.length; i += 4096) letters += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
function toBytes(letters: string): Uint8Array<ArrayBuffer> {
  const plain = atob(letters.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (one) => one.charCodeAt(0));
}

async function through(bytes: Uint8Array<ArrayBuffer>, way: ReadableWritablePair<Uint8Array, BufferSource>): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(way).getReader(), pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > mostLetters) throw new Error("too long");
    pieces.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** "#scene=..." */
export async function hashOf(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  return `#scene=${toLetters(await through(bytes, new CompressionStream("deflate-raw")))}`;
}

/** Nothing where the hash is of something else; an error where it is damaged. */
export async function sharedOf(hash: string): Promise<Shared | null> {
  const match = /^#scene=([\w-]+)$/.exec(hash);
  if (!match) return null;
  try {
    const bytes = await through(toBytes(match[1]), new DecompressionStream("deflate-raw"));
    const shared = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Shared;
    if (typeof shared.scene === "string") return shared;
  } catch {
    // said below
  }
  throw new Error("This link is damaged: the scene in it cannot be read.");
}
