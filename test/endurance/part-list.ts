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
    name: 'kills',
    purpose: 'Daemons are killed again and again, and every counter is compared with the truth.',
    tests: ['test/e2e/{truth*,crash-loop,recovery,salvaged-history,billed-months}.test.ts'],
  },
  {
    name: 'takeovers',
    purpose: 'A standby takes over, twins live apart, and never do two daemons write.',
    tests: ['test/e2e/{standby,resumed-daemon,twins,twin-scrape,two-daemons}.test.ts'],
  },
  {
    name: 'alerts',
    purpose: 'Every alert is raised end to end, and none in a healthy hour.',
    tests: ['test/e2e/{drill*,first-failure}.test.ts'],
  },
  {
    name: 'expressions',
    purpose: 'Every expression of boards and rules finds data, on a whole page and on a compact one.',
    tests: ['test/e2e/{*expression,first-queries}.test.ts'],
  },
  {
    name: 'faults',
    purpose: 'Every fault of the service, the network, the machine and the history is brought about.',
    tests: [
      'test/e2e/fault/*.test.ts',
      'test/e2e/{clock-step,reader,rate-limit,judged-request}.test.ts',
      'test/daemon/*.test.ts',
    ],
  },
  {
    name: 'secrets',
    purpose: 'No key is found in anything that is written, whatever fails.',
    tests: ['test/{cli,e2e}/*-canary.test.ts'],
  },
  {
    name: 'history',
    purpose: 'Random lives of fleets are recorded, and what is read back is the truth.',
    tests: ['test/history/{*-truth,*-finding,*-history,backfill,size-estimate,spread-bound}.test.ts'],
  },
  {
    name: 'money',
    purpose: 'Bills, costs, findings and forecasts are those of oracles.',
    tests: ['test/{bill,cost,oracle,report,usage,poll}/**/*.test.ts'],
  },
  {
    name: 'fuzz',
    purpose: 'Answers, requests, configurations and price books have mistakes: more than a million cases.',
    tests: ['test/fuzz/*.test.ts', 'test/metrics/*.property.test.ts'],
  },
  {
    name: 'shards',
    purpose: 'Shards together show what one daemon shows, while they split, join and are killed.',
    tests: [
      'test/e2e/{shards,lent-shares}.test.ts',
      'test/{backfill,history}/{several-histories,sharded-page}.property.test.ts',
      'test/history/shard.test.ts',
      'test/scheduler/*.test.ts',
    ],
  },
  {
    name: 'scale',
    purpose: 'Large fleets are scraped, backfilled, queried and exported.',
    tests: [
      'test/e2e/{scrape-scale,backfill,cost-backfill,import,shipped-series}.test.ts',
      'test/{history/load,lake}/*.test.ts',
    ],
  },
  {
    name: 'console',
    purpose: 'Chromium reads every page, and every figure is that of the report.',
    tests: ['test/e2e/{console/*,web-access}.test.ts', 'test/{console,cli}/**/*.test.ts'],
  },
  {
    name: 'packages',
    purpose: 'What is delivered is built, installed and started.',
    tests: [
      'test/{package,deploy,container}/**/*.test.ts',
      'test/e2e/{service-manager,compiled-code}.test.ts',
    ],
  },
  {
    name: 'year',
    purpose: 'A year of 100 projects is sent to VictoriaMetrics, and each sample is compared.',
    tests: ['test/e2e/remote-write.test.ts'],
    env: { REMOTE_WRITE_PROJECTS: '100' },
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

/** Which of the files a part runs: those that no part before it has. */
export function filesOf(part: TestPart, files: readonly string[]): readonly string[] {
  return files.filter(file => part === parts.find(each => 'tests' in each && hasFile(each, file)));
}

function hasFile({ tests }: TestPart, file: string): boolean {
  return tests.some(glob => matchesGlob(file, glob));
}
