// Figures and films as files.

import { cssColor } from "./colors";
import { element } from "./format";

/** The beginning of the names of files saved from a run of this scene. */
export function fileNameOf(scene: string): string {
  return scene.replace(/^.*\//, "").replace(/\.(toml|json)$/, "").replace(/[^\w.-]+/g, "_") || "carom";
}

function download(blob: Blob, file: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${file}_${name.toLowerCase().replace(/[^\w.]+/g, "_")}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function saveCanvas(file: string, title: string, canvas: HTMLCanvasElement): void {
  canvas.toBlob((blob) => blob && download(blob, file, `${title}.png`));
}

/** Colours of a figure: of papers, or of the page as it is. */
export interface Look {
  ground: string;
  ink: string;
  grid: string;
}
const paper: Look = { ground: "#ffffff", ink: "#222222", grid: "#e4e4e4" };
const asShown = (): Look => ({ ground: cssColor("--card"), ink: cssColor("--ink"), grid: cssColor("--grid") });

/** A figure as a file: dark on white as SVG, for papers; as PNG in the colours of the page, twice as fine. */
export function saveFigure(kind: "SVG" | "PNG", file: string, title: string, draw: (look: Look) => string): void {
  if (kind === "SVG") return download(new Blob([draw(paper)], { type: "image/svg+xml" }), file, `${title}.svg`);
  const image = new Image();
  image.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    saveCanvas(file, title, canvas);
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(draw(asShown()))}`;
}

/** Buttons that save a figure; `figure` draws it and says its title, or has none yet. */
export function saveButtons(file: string, figure: () => { title: string; draw: (look: Look) => string } | null): HTMLElement[] {
  return (["SVG", "PNG"] as const).map((kind) =>
    element("button", {
      type: "button", textContent: kind, title: `Save this figure as ${kind}`, ariaLabel: `Save this figure as ${kind}`,
      onclick: () => {
        const now = figure();
        if (now) saveFigure(kind, file, now.title, now.draw);
      },
    }));
}

export function savePicture(file: string, canvas: HTMLCanvasElement): void {
  saveCanvas(file, "picture", canvas);
}

const stands = 500; // [ms] that the last picture of a film is seen; of a film that is over at once there would be nothing else

export interface Film {
  /** Ends the film after its last picture, and tells when it is over. */
  stop: (over: () => void) => void;
}

/** Films a canvas, which is to be painted until it is over. */
export function film(file: string, canvas: HTMLCanvasElement): Film | null {
  if (!("MediaRecorder" in window) || !canvas.captureStream) return null;
  const kind = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"].find((one) => MediaRecorder.isTypeSupported(one));
  if (!kind) return null;
  const recorder = new MediaRecorder(canvas.captureStream(60), { mimeType: kind, videoBitsPerSecond: 12_000_000 });
  const pieces: Blob[] = [];
  recorder.ondataavailable = (event) => event.data.size && pieces.push(event.data);
  recorder.onstop = () => download(new Blob(pieces, { type: kind }), file, kind.includes("mp4") ? "run.mp4" : "run.webm");
  recorder.start(250);
  return {
    stop: (over) =>
      setTimeout(() => {
        if (recorder.state !== "inactive") recorder.stop();
        over();
      }, stands),
  };
}
