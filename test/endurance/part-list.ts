import { matchesGlob } from 'node:path';

/** One row of the table: tests or a script that run by themselves, one part after the other. */
export type Part = TestPart | ScriptPart;

interface NamedPart {
  /** For `--only`. */
  readonly name: string;
  /** What it is for, in one sentence. */
  readonly purpose: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Tests of test/vitest.endurance.config.ts, which take their seed from `TEST_SEED`. */
export interface TestPart extends NamedPart {
  /** Globs of files. A file belongs to the first part that has it. */
  readonly tests: readonly string[];
}

/** A script that says by its exit code whether it passed. */
export interface ScriptPart extends NamedPart {
  readonly script: readonly string[];
  /** The flag that takes a seed, where it draws anything. */
  readonly seedFlag?: string;
}

export const parts: readonly Part[] = [
  {
    name: 'simulation',
    purpose:
      'Simulated daemons live through days of faults, kills and takeovers, and every counter is the truth.',
    tests: ['test/simulation/*.test.ts'],
  },
  {
    name: 'kills',
    purpose: 'Processes are killed again and again, and every counter is compared with the truth.',
    tests: ['test/e2e/truth.system.test.ts', 'test/e2e/recovery.endurance.test.ts'],
  },
  {
    name: 'takeovers',
    purpose: 'A standby takes over two hundred times, and never do two daemons write.',
    tests: ['test/e2e/standby.system.test.ts', 'test/e2e/resumed-daemon.endurance.test.ts'],
  },
  {
    name: 'alerts',
    purpose: 'Every alert is raised end to end, and none in a healthy hour.',
    tests: ['test/e2e/{every-alert,healthy-hour}.endurance.test.ts'],
  },
  {
    name: 'expressions',
    purpose: 'Every expression of boards and rules finds data, on a whole page and on a compact one.',
    tests: ['test/e2e/expression.endurance.test.ts'],
  },
  {
    name: 'faults',
    purpose: 'Every fault of the service, the network, the machine and the history is brought about.',
    tests: ['test/e2e/fault/*.endurance.test.ts', 'test/daemon/*.endurance.test.ts'],
  },
  {
    name: 'history',
    purpose: 'Random lives of fleets are recorded, and what is read back is the truth.',
    tests: ['test/history/*.test.ts', 'test/history/load/*.test.ts'],
  },
  {
    name: 'money',
    purpose: 'Bills, costs, findings and forecasts are those of oracles.',
    tests: ['test/{cost,oracle,report,poll}/**/*.test.ts'],
  },
  {
    name: 'fuzz',
    purpose: 'Answers, requests, configurations and price books have mistakes: more than a million cases.',
    tests: ['test/fuzz/*.test.ts', 'test/metrics/*.test.ts'],
  },
  {
    name: 'shards',
    purpose: 'Shards together show what one daemon shows, while they split, join and are killed.',
    tests: ['test/export/backfill/*.test.ts'],
  },
  {
    name: 'scale',
    purpose: 'Large fleets are scraped, backfilled and exported.',
    tests: ['test/e2e/{cost-backfill,shipped-series,reader,compiled-code}.endurance.test.ts'],
  },
  {
    name: 'console',
    purpose: 'Every figure of every page is that of the report, of the simulator and of an oracle.',
    tests: ['test/console/*.test.ts'],
  },
  {
    name: 'sending',
    purpose: 'A year of 100 projects is sent to VictoriaMetrics, and each sample is compared.',
    tests: ['test/e2e/remote-write.endurance.test.ts'],
    env: { REMOTE_WRITE_PROJECTS: '100' },
  },
  {
    name: 'tools',
    purpose: 'The short forms of the soak and of the benchmarks run to their end.',
    tests: ['test/{soak,bench}/*.test.ts'],
  },
  {
    name: 'rest',
    purpose: 'All other tests that wait or repeat.',
    tests: ['test/**/*.test.ts'],
  },
  {
    name: 'soak',
    purpose: 'Thirty days of a thousand projects, for leaks.',
    script: ['test/soak/run.ts'],
    seedFlag: '--seed',
  },
  {
    name: 'quality',
    purpose: 'How good forecasts, findings, anomalies and budget alerts are, over a hundred seeds.',
    script: ['test/quality/run.ts'],
    seedFlag: '--first',
  },
  {
    name: 'bench',
    purpose: 'Every goal of scale is measured beside its baselines.',
    script: ['test/bench/run.ts'],
  },
];

/** The files that a part runs: no part before it has them. */
export function filesOf(part: TestPart, files: readonly string[]): readonly string[] {
  return files.filter(file => part === parts.find(each => 'tests' in each && hasFile(each, file)));
}

function hasFile({ tests }: TestPart, file: string): boolean {
  return tests.some(glob => matchesGlob(file, glob));
}
