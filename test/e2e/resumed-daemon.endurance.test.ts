import { expect, test, vi } from 'vitest';
import { startProgram } from '../support/daemon-process.ts';
import { testSeed } from '../support/seed.ts';
import { runPair } from './pair-run.ts';

vi.setConfig({ testTimeout: 600_000 });

const seed = testSeed(20261124);
const pairs = 2;
const roundsOfPair = 10 / pairs;

test(`a daemon that goes on just as its standby takes over never writes or answers beside it (${pairs * roundsOfPair} times, TEST_SEED=${seed})`, async () => {
  const runs = Array.from({ length: pairs }, (_, index) =>
    runPair({ seed, index }, async ({ pair, audit }) => {
      for (let round = 0; round < roundsOfPair; round += 1)
        await pair.resumeAround(audit.generation, round % 2 === 0);
    }),
  );
  let takeovers = 0;
  for (const { pair, historyFile, audit } of await Promise.all(runs)) {
    expect(pair.answeredAtOnce).toBe(0);
    takeovers += audit.takeovers();
    const check = startProgram(['check-history', historyFile]);
    expect(await check.exited, check.stdout() + check.stderr()).toEqual({ code: 0, signal: null });
  }
  expect(takeovers).toBeGreaterThanOrEqual((pairs * roundsOfPair) / 2);
});
