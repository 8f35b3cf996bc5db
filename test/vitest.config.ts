import { existsSync, mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { patience } from './support/patience.ts';

const memoryFolder = '/dev/shm';
const enoughBytes = 2 ** 31;

/** A folder for temporary files in memory, where there is room: no test waits for a disk to have written something. */
function temporaryFolder(): { readonly TMPDIR?: string } {
  if (!existsSync(memoryFolder)) return {};
  const { bavail, bsize } = statfsSync(memoryFolder);
  if (bavail * bsize < enoughBytes) return {};
  const TMPDIR = join(memoryFolder, `dbpm-tests-${process.getuid?.() ?? 0}`);
  mkdirSync(TMPDIR, { recursive: true });
  return { TMPDIR };
}

/** The settings of all tiers. */
export const common = {
  root: new URL('..', import.meta.url).pathname,
  // Most of what takes long waits: two at a time keep two cores busy.
  maxWorkers: 2,
  env: {
    // Every worker thread and every child process loads the whole program again: its compiled code is kept.
    NODE_COMPILE_CACHE: new URL('../node_modules/.cache/compile', import.meta.url).pathname,
    ...temporaryFolder(),
  },
  // A busy machine is no failure, and what hangs is seen anyway.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: patience },
} as const;

/** Names of files say which tier they belong to; docs/contributing.md says which that is. */
export const systemTests = 'test/**/*.system.test.ts';
export const enduranceTests = 'test/**/*.endurance.test.ts';
export const simulations = 'test/simulation/*.test.ts';

/** Simulated daemons have virtual time, and neither threads nor sockets. */
export const simulation: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'simulation',
    include: [simulations],
    setupFiles: ['test/support/property-seed.ts', 'test/simulation/mocks.ts'],
    // A minute of virtual time takes as long as it takes.
    testTimeout: 300_000,
  },
};

/** Folders whose tests leave nothing behind: they share a thread, and load the program once. */
const sharedTests = [
  'test/{architecture,check,config,cost,dashboards,docs,fuzz,log,metrics,oracle,poll}/**/*.test.ts',
  // One counts the strings of its whole heap.
  'test/history/**/!(shared-text).test.ts',
  'test/{report,resources,simulator,export/remote-write}/**/*.test.ts',
];

/** `npm test`: everything in one process. */
export default defineConfig({
  test: {
    ...common,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: sharedTests,
          exclude: [systemTests, enduranceTests],
          setupFiles: ['test/support/property-seed.ts'],
          pool: 'threads',
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...sharedTests, simulations, systemTests, enduranceTests],
          setupFiles: ['test/support/property-seed.ts'],
        },
      },
      { ...simulation, test: { ...simulation.test, exclude: [enduranceTests] } },
    ],
  },
});
