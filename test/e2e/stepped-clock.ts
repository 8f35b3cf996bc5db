import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Has every thread of a program see its host's clock ahead by the milliseconds that a file says. */
const steppedDate = `
import { readFileSync } from 'node:fs';
const HostDate = Date;
let aheadMs = 0;
setInterval(() => { aheadMs = Number(readFileSync(process.env.CLOCK_FILE, 'utf8')) || aheadMs; }, 10).unref();
globalThis.Date = class Date extends HostDate {
  constructor(...args) { if (args.length === 0) super(HostDate.now() + aheadMs); else super(...args); }
  static now() { return HostDate.now() + aheadMs; }
};`;

/** A clock of the host that programs started with its environment see, and that can be set while they run. */
export interface SteppedClock {
  readonly env: Readonly<Record<string, string>>;
  /** Sets it ahead of what it really is, in milliseconds. */
  step(aheadMs: number): void;
}

/** @param folder where it has a file of its own. */
export function openSteppedClock(folder: string): SteppedClock {
  const clockFile = join(folder, 'clock');
  const step = (aheadMs: number) => writeFileSync(clockFile, String(aheadMs));
  step(1);
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(steppedDate)}`;
  return { env: { CLOCK_FILE: clockFile, NODE_OPTIONS }, step };
}
