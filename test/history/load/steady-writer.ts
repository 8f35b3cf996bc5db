import { setTimeout as pause } from 'node:timers/promises';
import { History } from '../../../src/history/history.ts';
import { collectors } from '../../../src/resources/collector.ts';
import { listSteady, steadyReading } from './steady-reading.ts';

/** A look at a writer: what it wrote so far, and the longest that anything waited for since the last look. */
export interface WriterLook {
  readonly written: number;
  /** Seconds of its own clock. */
  readonly at: number;
  /** A reading is due a thousandth of a second after the one before. */
  readonly latestMs: number;
  readonly longestCommitMs: number;
  readonly commits: number;
}

const everyMs = 20;

/** Writes a thousand readings a second into the history it is given, as the daemon does, and tells of it when asked. */
const [file = ''] = process.argv.slice(2);
const history = new History({
  ...{ file, accounts: ['main'], collectors, staleAfterMs: 86_400_000, dropAfterMs: 86_400_000 },
});
history.commitOne(listSteady());
const beganAt = performance.now();
let written = 0;
let longest = { latestMs: 0, longestCommitMs: 0, commits: 0 };
let isOver = false;
process.on('message', (message: 'look' | 'end') => {
  process.send?.({ written, at: (performance.now() - beganAt) / 1000, ...longest } satisfies WriterLook);
  longest = { latestMs: 0, longestCommitMs: 0, commits: 0 };
  isOver ||= message === 'end';
});
process.once('disconnect', () => process.exit());
process.send?.('begun');
while (!isOver) {
  const beginMs = performance.now();
  const due = Math.floor(beginMs - beganAt);
  const latestMs = due - written;
  const readings = Array.from({ length: due - written }, (_, index) => steadyReading(written + index));
  if (history.commit(readings).some(each => 'error' in each)) process.exit(1);
  written = due;
  longest = {
    latestMs: Math.max(longest.latestMs, latestMs),
    longestCommitMs: Math.max(longest.longestCommitMs, performance.now() - beginMs),
    commits: longest.commits + 1,
  };
  await pause(everyMs);
}
history.close();
process.disconnect();
