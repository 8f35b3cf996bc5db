import type { SoakResult } from './soak.ts';

/** The most that the memory may grow in the second half, by its average there. */
const mostGrowth = 0.1;
/** The size of the history by that of a plan. */
const shares = { least: 0.5, most: 2 };

/** Everything about a soak that is not as it should be, one line each. */
export function listFaults(result: SoakResult): readonly string[] {
  const { growthMebibytes, meanMebibytes, historyShare, wrong, fell, files } = result;
  const growth = growthMebibytes / meanMebibytes;
  return [
    ...wrong.map(line => `wrong: ${line}`),
    ...fell.map(line => `fell: ${line}`),
    ...(growth > mostGrowth ? [`the memory grew by ${growth.toFixed(2)} of itself in the second half`] : []),
    ...(historyShare < shares.least || historyShare > shares.most
      ? [`the history is ${historyShare.toFixed(2)} of the size that is planned`]
      : []),
    ...(files.last > files.first
      ? [`${files.last - files.first} files more are open than after the start`]
      : []),
  ];
}

/** The figures of a soak in a few lines. */
export function describeSoak(result: SoakResult): string {
  const { meanMebibytes, peakMebibytes, growthMebibytes, historyMebibytes, historyShare, files } = result;
  const round = (value: number) => value.toFixed(1);
  return [
    `${result.seconds} s, ${result.operations} operations, ${result.faults} faults`,
    `memory in the second half: ${round(meanMebibytes)} MiB on average, ${round(peakMebibytes)} at most, ${round(growthMebibytes)} more at its end by least squares`,
    `history: ${round(historyMebibytes)} MiB, ${historyShare.toFixed(2)} of what is planned`,
    `open files: ${files.first} after the start, ${files.last} at the end`,
    `counters that are wrong ${result.settledSeconds} s after the last fault: ${result.wrong.length}, that ever fell: ${result.fell.length}`,
  ].join('\n');
}
