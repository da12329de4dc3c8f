// Time: what moment is shown, whether it runs and how fast. Inside an impact, time is that of the impact.

import { lastBefore } from "./run";

const speeds = Array.from({ length: 25 }, (_, i) => i - 12).flatMap((power) => [1, 2, 5].map((first) => Number(`${first}e${power}`)));
const usual: [number, number] = [1e-6, 1e3]; // offered whatever the run
const pleasant = 12; // [s] that a run takes to watch, where real time would be too short or too long

/** The speed of the list nearest to a wish. */
function nearest(wish: number): number {
  return speeds.reduce((best, one) => (Math.abs(Math.log(one / wish)) < Math.abs(Math.log(best / wish)) ? one : best));
}

/** What a player needs to know of a run. */
export interface Timeline {
  start: number; // [s]
  end: number;
  recordTimes: number[];
  impactTimes: number[];
  warningTimes?: number[];
}

interface Clock {
  t: number;
  end: number;
  speed: number;
}

export class Player {
  playing = false;
  /** Told after every change of time. `watched` is [s] of watching since the last; 0 after a jump. */
  onTime: (before: number, watched: number) => void = () => {};
  onState: () => void = () => {};
  private readonly outside: Clock;
  private within: Clock | null = null;

  constructor(private readonly run: Timeline) {
    const end = run.end;
    this.outside = { t: run.start, end, speed: end >= 2.5 && end <= 45 ? 1 : nearest(Math.max(end, 1e-9) / pleasant) };
  }

  private get clock(): Clock {
    return this.within ?? this.outside;
  }
  get t(): number {
    return this.outside.t; // [s] of the run
  }
  get inside(): boolean {
    return this.within !== null;
  }
  get insideTime(): number {
    return this.within?.t ?? 0;
  }
  get part(): number {
    return this.clock.end > 0 ? this.clock.t / this.clock.end : 0;
  }
  get speed(): number {
    return this.clock.speed;
  }
  set speed(value: number) {
    this.clock.speed = value;
    this.onState();
  }
  /** Those to choose from: more than the usual ones where time is longer or shorter. */
  get speeds(): number[] {
    const [least, most] = [Math.min(usual[0], this.speed), Math.max(usual[1], this.speed)];
    return speeds.filter((one) => one >= least && one <= most);
  }

  toggle(): void {
    if (!this.playing && this.part > 0.99999) this.clock.t = 0;
    this.playing = !this.playing;
    this.onState();
  }
  pause(): void {
    this.playing = false;
    this.onState();
  }
  seekPart(part: number): void {
    this.set(part * this.clock.end);
  }
  /** To a moment of the run. */
  seek(t: number): void {
    this.leave();
    this.set(t);
  }
  seekInside(t: number): void {
    if (this.within) this.set(t);
  }
  private set(t: number, watched = 0): void {
    const before = this.clock.t;
    this.clock.t = Math.min(Math.max(t, 0), this.clock.end);
    this.onTime(before, watched);
  }

  tick(seconds: number): void {
    if (!this.playing) return;
    const clock = this.clock;
    this.set(clock.t + seconds * clock.speed, seconds);
    if (clock.t >= clock.end) this.pause();
  }

  /** Some records on or back. */
  step(by: number): void {
    this.pause();
    if (this.within) return this.set(this.within.t + (by * this.within.end) / 200);
    const times = this.run.recordTimes, now = lastBefore(times, this.t + 1e-12 * this.run.end);
    this.set(times[Math.min(Math.max(now + by, 0), times.length - 1)] ?? 0);
  }
  faster(by: number): void {
    const i = speeds.indexOf(nearest(this.speed)) + by;
    this.speed = speeds[Math.min(Math.max(i, 0), speeds.length - 1)];
  }
  /** To the next impact, or the one before. */
  toImpact(direction: 1 | -1): void {
    this.pause();
    const times = this.run.impactTimes, slack = 1e-12 * Math.max(this.run.end, 1e-12);
    const found = direction > 0 ? times.find((t) => t > this.t + slack) : [...times].reverse().find((t) => t < this.t - slack);
    if (found !== undefined) this.seek(found);
  }

  /** Into an impact that lasts `duration` [s]. */
  enter(duration: number): void {
    this.within = { t: 0, end: duration, speed: nearest(duration / 8) };
    this.playing = true;
    this.onState();
    this.onTime(0, 0);
  }
  leave(): void {
    if (!this.within) return;
    this.within = null;
    this.playing = false;
    this.onState();
    this.onTime(this.t, 0);
  }
}
