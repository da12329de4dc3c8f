// Views are made from markup and find their parts by data-part, within themselves: a page may hold several.

export type Parts = <T extends HTMLElement = HTMLElement>(name: string) => T;

/** Fills `root` with markup and finds what is in it. */
export function fill(root: HTMLElement, markup: string): Parts {
  root.innerHTML = markup;
  return partsOf(root);
}
export function partsOf(root: HTMLElement): Parts {
  return <T extends HTMLElement>(name: string) => root.querySelector(`[data-part="${name}"]`) as T;
}

const icon = (paths: string) => `<svg viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;

export const pictureMarkup = (label: string) => `<canvas data-part="stage" tabindex="0" role="img" aria-label="${label}"></canvas>
  <div class="scale" data-part="scale" aria-hidden="true"><span></span><i></i></div>
  <p data-part="no-webgl" class="notice" hidden>This browser shows no 3D graphics (WebGL), so there is no animation. Plots and tables work.</p>`;

export const viewtoolsMarkup = `<label class="switch"><input type="checkbox" data-part="show-forces" checked><span>Forces</span></label>
  <label class="switch"><input type="checkbox" data-part="show-trails" checked><span>Trails</span></label>
  <label class="pick"><span class="hidden">Follow a body</span><select data-part="follow" aria-label="Follow a body"></select></label>
  <button data-part="home" type="button" class="small">Whole view</button>`;

export const transportMarkup = `<div class="transport" role="group" aria-label="Playing">
  <button data-part="previous" type="button" class="icon" aria-label="To the impact before" title="Impact before (Shift+←)">${icon('<path d="M6 5v14M19 5 9 12l10 7Z"/>')}</button>
  <button data-part="play" type="button" class="icon main" aria-label="Play" title="Play or pause (space)">${icon('<path class="go" d="M7 4v16l13-8Z"/><path class="wait" d="M7 4h4v16H7ZM14 4h4v16h-4Z"/>')}</button>
  <button data-part="next" type="button" class="icon" aria-label="To the next impact" title="Next impact (Shift+→)">${icon('<path d="M18 5v14M5 5l10 7-10 7Z"/>')}</button>
  <div class="scrub"><canvas data-part="ticks" aria-hidden="true"></canvas><input data-part="scrub" type="range" min="0" max="100000" value="0" step="1" aria-label="Time"></div>
  <label class="pick"><span class="hidden">Speed</span><select data-part="speed" aria-label="Speed" title="Speed (+ and -)"></select></label>
  <button data-part="look-inside" type="button" class="small accent" hidden>Slow motion</button>
  <details class="menu"><summary aria-label="Save pictures">Save</summary><div>
    <button data-part="save-png" type="button">Picture (PNG)</button>
    <button data-part="save-webm" type="button">Animation (WebM)</button>
  </div></details>
</div>`;

export const readoutMarkup = '<div class="readout" aria-live="off"><output data-part="time">0 s</output><span data-part="mode"></span></div>';

export const tablesMarkup = `<section class="card tables">
  <div class="tabs" role="tablist" aria-label="Tables and text" data-part="tabs"></div>
  <div data-part="panel" role="tabpanel" tabindex="0"></div>
</section>`;

export const plotsMarkup = '<section aria-label="Plots over time"><div data-part="plots" class="plots"></div><p class="more"><button data-part="add-plot" type="button" class="small">Add a plot</button> <button data-part="add-phase" type="button" class="small" hidden>Add a phase plot</button></p></section>';

export const runMarkup = `<section class="first">
  <div class="stage card" data-part="stage-card">
    <div class="view">${pictureMarkup("Animation of the run")}${readoutMarkup}<div class="viewtools">${viewtoolsMarkup}</div></div>
    ${transportMarkup}
  </div>
  <div class="side">
    <div class="card" data-part="inside-card" hidden></div>
    <div class="card" data-part="energy-card"></div>
    <div class="card" data-part="moment-card" aria-live="polite"></div>
  </div>
</section>
${plotsMarkup}
${tablesMarkup}`;
