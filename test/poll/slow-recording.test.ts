import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { AccountPoller } from '../../src/poll/account-poller.ts';
import { collectors } from '../../src/resources/collector.ts';
import type { PollCheckpoint } from '../../src/resources/reading.ts';
import { project, scriptedAccount } from './scripted-account.ts';

const concurrency = 2;
const projects = Array.from({ length: 20 }, (_, index) => project(`p${index}`));

/** Twenty known projects, and a history that writes a reading when it is told to. */
function openPoller() {
  const { source, state, takeCalls } = scriptedAccount();
  const unwritten: PromiseWithResolvers<readonly PollCheckpoint[]>[] = [];
  const poller = new AccountPoller({
    account: 'main',
    collectors,
    source,
    urgentSource: source,
    commit() {
      const writing = Promise.withResolvers<readonly PollCheckpoint[]>();
      unwritten.push(writing);
      return writing.promise;
    },
    knownProjects: () =>
      projects.map(({ project_id }) => ({
        project: project(project_id),
        checkpoint: { project_id, busy: false, known: { headAt: state.now, openIds: [] } },
      })),
    onProblem: () => {},
    onImport: () => {},
    scheduleMs: 30_000,
    idleRefreshMs: 15 * 60_000,
    dropAfterMs: 600_000,
    apiKeysRefreshMs: 300_000,
    requestsPerMinute: 700,
    budgetPerMinute: () => 700,
    concurrency,
    now: () => state.now,
    sleep: async () => {},
  });
  poller.beginRound(new AbortController().signal);
  const untilQuiet = async () => {
    for (let polls = 0; polls < 50; polls += 1) await nextTurn();
    return takeCalls().filter(call => call.startsWith('endpoints')).length;
  };
  const write = () => unwritten.shift()?.resolve([]);
  return { poller, unwritten, untilQuiet, write };
}

it('asks about further projects while what was read is being written, up to as many as it asks about at a time', async () => {
  const { unwritten, untilQuiet } = openPoller();
  expect(await untilQuiet()).toBe(2 * concurrency);
  expect(unwritten).toHaveLength(2 * concurrency);
});

it('goes on by one project with every reading that is written, and ends when all are', async () => {
  const { poller, unwritten, untilQuiet, write } = openPoller();
  await untilQuiet();
  write();
  expect(await untilQuiet()).toBe(1);
  let asked = 2 * concurrency + 1;
  while (unwritten.length > 0) {
    write();
    asked += await untilQuiet();
  }
  await poller.idle();
  expect(asked).toBe(projects.length);
});
