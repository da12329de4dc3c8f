// The tools over pictures, and pictures as files: one picture, or several side by side.

import { cssColor } from "./colors";
import type { Parts } from "./parts";
import type { Picture } from "./picture";
import type { Player } from "./player";
import type { Run } from "./run";
import { film, savePicture, type Film } from "./save";

export interface Titled {
  picture: Picture;
  title: string; // empty: none
}

/** Pictures side by side on the ground of the page. */
class Sheet {
  readonly canvas = document.createElement("canvas");
  constructor(private readonly pictures: Titled[]) {}

  paint(): void {
    const canvases = this.pictures.map(({ picture }) => picture.stage.canvas), ratio = Math.min(window.devicePixelRatio, 2);
    const head = this.pictures.some((one) => one.title) ? Math.round(28 * ratio) : 0;
    const width = Math.round(ratio * canvases.reduce((sum, one) => sum + one.clientWidth, 0)), height = head + Math.round(ratio * Math.max(...canvases.map((one) => one.clientHeight)));
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    const context = this.canvas.getContext("2d")!;
    context.fillStyle = cssColor("--stage-a");
    context.fillRect(0, 0, width, height);
    context.fillStyle = cssColor("--ink");
    context.font = `600 ${15 * ratio}px system-ui, sans-serif`;
    let x = 0;
    canvases.forEach((one, i) => {
      if (head) context.fillText(this.pictures[i].title, x + 10 * ratio, 20 * ratio, (one.clientWidth - 20) * ratio);
      context.drawImage(one, x, head, one.clientWidth * ratio, one.clientHeight * ratio); // which has fewer pixels while it moves
      x += one.clientWidth * ratio;
    });
  }
}

/** Sets up forces, trails, who is followed, the whole view, and saving. What is returned is called at every frame. */
export function setUpPictures(parts: Parts, pictures: Titled[], run: Run, player: Player, file: string): () => void {
  const again = () => player.onTime(player.t, 0), each = (act: (picture: Picture) => void) => pictures.forEach((one) => act(one.picture));
  const follow = parts<HTMLSelectElement>("follow");
  follow.append(new Option("Follow", "-1"));
  for (const body of run.moving.slice(0, 300)) follow.append(new Option(run.nameOf(body), String(body)));
  follow.onchange = () => {
    each(({ stage }) => (stage.follow = Number(follow.value)));
    again();
  };
  parts("home").onclick = () => {
    follow.value = "-1";
    each(({ stage }) => {
      stage.follow = -1;
      stage.home();
    });
    again();
  };
  const forces = parts<HTMLInputElement>("show-forces"), trails = parts<HTMLInputElement>("show-trails");
  forces.onchange = () => {
    each(({ arrows }) => (arrows.shown = forces.checked));
    again();
  };
  trails.parentElement!.hidden = !pictures.some(({ picture }) => picture.trails);
  trails.onchange = () => {
    each((picture) => picture.trails && (picture.trails.group.visible = trails.checked));
    again();
  };
  return setUpSaving(parts, pictures, player, file);
}

/** Saving pictures and films. What is returned is called at every frame. */
export function setUpSaving(parts: Parts, pictures: Titled[], player: Player, file: string): () => void {
  const sheet = new Sheet(pictures);
  let recording: Film | null = null;
  parts("save-png").onclick = () => {
    for (const { picture } of pictures) picture.stage.draw(true);
    sheet.paint();
    savePicture(file, sheet.canvas);
  };
  parts("save-webm").onclick = () => {
    if (recording) return;
    player.seekPart(0);
    sheet.paint();
    recording = film(file, sheet.canvas);
    if (!recording) return alert("This browser cannot record films.");
    const state = player.onState;
    player.onState = () => {
      state();
      if (player.playing) return;
      player.onState = state;
      recording?.stop(() => (recording = null));
    };
    if (!player.playing) player.toggle();
  };
  return () => recording && sheet.paint();
}
