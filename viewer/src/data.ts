// The data of a page, "carom-report/1": what docs/report.md says, and how it is unpacked.

export interface Table {
  float32?: string;
  uint16?: string;
  low?: number[];
  high?: number[];
}
export interface Columns {
  columns: string[];
  table: Table;
}
export interface Shape {
  kind: "ball" | "surface" | "wall";
  points?: string;
  faces?: number[][];
}
export type PoseList = [number, number, number, number, number, number, number];
export interface Body {
  name: string;
  free: boolean;
  mass?: number;
  material?: string;
  pose?: PoseList;
  parts: [number, number, PoseList?][];
}
export type Anchor = [number, [number, number, number]];
export interface Link {
  kind: string;
  name: string;
  a: Anchor;
  b: Anchor;
  axis?: [number, number, number]; // in the frame of a
  motor?: boolean;
  stops?: { low: number | null; high: number | null; origin: number; hand?: [number, number, number] } | null;
}
export interface ImpactContact {
  name: string;
  at: number[];
  before: number;
  after?: number;
  impulse?: number;
  vector?: number[];
  peak?: number;
}
export interface Impact {
  number: number;
  t: number;
  bodies: number[];
  contacts: ImpactContact[];
  contact_count: number;
  law: string;
  status: string;
  at_rest: boolean;
  approach: number;
  impulse: number;
  energy_before: number;
  energy_after: number;
  dissipated: number;
  consistent: boolean;
  residual: number;
  duration?: number;
  velocities_before?: number[][];
  velocities_after?: number[][];
}
export interface Inside {
  number: number;
  contact_count: number;
  names: string[];
  points: number[][];
  bodies: number[];
  peak: number;
  times: string;
  force: Table;
  velocity: string;
  kinetic: string;
  stored: string;
}
export interface Closure {
  t: number;
  contact: string;
  duration: number;
  peak: number;
  t_peak: number;
  deepest: number;
  impulse: number;
  approach: number;
  departure: number;
  dissipated: number;
}
export interface RunEvent {
  t: number;
  event: string;
  what: string;
  detail: string;
}
/** A table as the tool prints it; a row without cells is a rule. */
export interface WordTable {
  header: string[][];
  rows: string[][];
}
export interface Report {
  format: string;
  label?: string; // in a comparison
  run: {
    scene: string;
    title: string;
    about: string;
    law: string;
    scheme: string;
    in_forces: boolean;
    duration: number;
    interval: number;
    dimension: 1 | 2 | 3;
    gravity: number[];
    periodic?: number[]; // [m] after which space repeats itself along each axis; 0: it does not
    text: string;
    options: string[];
  };
  end: {
    status: string;
    message: string;
    sentence: string;
    t_end: number;
    impacts: number;
    inconsistent: number;
    approximate_steps: number;
    worst_residual: number;
    energy_error: number;
    start: number;
    seconds: number;
  } | null;
  scene: { shapes: Shape[]; bodies: Body[]; links: Link[]; loads?: Anchor[]; centre: number[]; size: number } | null;
  frames: {
    moving: number[];
    times: number[];
    recorded: number[];
    poses: Columns;
    velocities: Columns | null;
    energies: Columns;
    contacts: { counts: number[]; table: Table };
    joints: Columns | null;
    loads?: Columns | null;
    thinned: { every: number; contacts_left_out: number };
  };
  impacts: Impact[];
  impact_count: number;
  inside: Inside[];
  events: RunEvent[];
  event_count: number;
  closures: Closure[];
  closure_count: number;
}

function bytes(text: string): ArrayBuffer {
  const letters = atob(text);
  const result = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) result[i] = letters.charCodeAt(i);
  return result.buffer;
}

export function floats(text: string): Float32Array {
  return new Float32Array(bytes(text));
}

/** The numbers of a table whose rows have `width` entries. */
export function unpack(table: Table, width: number): Float32Array {
  if (table.float32 !== undefined) return floats(table.float32);
  const steps = new Uint16Array(bytes(table.uint16 ?? ""));
  const low = table.low ?? [], high = table.high ?? [];
  const values = new Float32Array(steps.length);
  for (let i = 0; i < steps.length; ++i) {
    const column = i % width;
    values[i] = low[column] + ((high[column] - low[column]) * steps[i]) / 65535;
  }
  return values;
}

/** Runs of one scene under several laws. */
export interface ComparisonReport {
  format: "carom-comparison-report/1";
  title: string;
  about: string;
  table: WordTable;
  sentences: string[];
  reports: Report[];
}
/** What an impact does under a law. */
export interface LawOutcome {
  label: string;
  law: string;
  status: string;
  message: string;
  consistent: boolean;
  certificate: string[]; // in words
  largest_impulse: number | null; // [N s]; null: no answer
  vectors?: number[][] | null; // [N s] impulses on the second bodies, of scenes
  energy: { before: number; after: number };
  duration: number | null;
  inside: PathSeen | null;
}
/** A path through an impact, thinned. */
export interface PathSeen {
  parameter: "time" | "impulse";
  contact_count: number;
  contacts: number[];
  names: string[];
  rows: number[]; // of u
  peak: number;
  times: string;
  force: Table;
  velocity: string; // (times x rows)
  kinetic: string;
  stored: string;
  points?: number[][]; // of the contacts, of scenes
}
/** One impact under one law or several. */
export interface ImpactReport {
  format: "carom-impact-report/1";
  title: string;
  about: string;
  contact_count: number;
  velocities: string[]; // names of the entries of u, of scenes
  table: WordTable;
  sentences: string[];
  outcomes: LawOutcome[];
  picture: Report | null; // the moment of the impact, of scenes
  points: number[][] | null; // of the contacts that have vectors, of scenes
  bodies: number[] | null; // whose velocities u has, of scenes
}

/** The data of this page. */
export function readData(): Report | ComparisonReport | ImpactReport {
  const text = document.getElementById("report-data")?.textContent ?? "";
  return JSON.parse(text) as Report | ComparisonReport | ImpactReport;
}
