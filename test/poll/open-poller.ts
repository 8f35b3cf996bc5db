import { AccountPoller } from '../../src/poll/account-poller.ts';
import type { ImportProgress, PollerOptions, PollProblem } from '../../src/poll/poller-options.ts';
import { collectors } from '../../src/resources/collector.ts';
import type { Reading } from '../../src/resources/reading.ts';
import { describeReading, scriptedAccount } from './scripted-account.ts';

const listPollMs = 30_000;
/** Requests a minute that allow a list every thirty seconds and nothing before it is due. */
export const enoughForLists = 7;

/** A poller over a scripted account with a memory of its own; every list poll comes thirty seconds after the last. */
export function openPoller({
  busy = new Set(),
  ...options
}: Partial<PollerOptions> & { busy?: Set<string> } = {}) {
  const account = scriptedAccount();
  const readings: Reading[] = [];
  const problems: PollProblem[] = [];
  const imports: ImportProgress[] = [];
  const stop = new AbortController();
  const disk = { refuses: (_: Reading): boolean => false };
  const poller = new AccountPoller({
    account: 'main',
    collectors,
    source: account.source,
    urgentSource: account.source,
    async commit(reading) {
      if (disk.refuses(reading)) throw new Error('disk full');
      readings.push(reading);
      if (reading.kind !== 'project' && reading.kind !== 'operation_import') return [];
      const { project_id, operations } = reading;
      return [{ project_id, known: { ...operations?.progress, openIds: [] }, busy: busy.has(project_id) }];
    },
    knownProjects: () => [],
    onProblem: problem => problems.push(problem),
    onImport: progress => imports.push(progress),
    scheduleMs: listPollMs,
    idleRefreshMs: 15 * 60_000,
    dropAfterMs: 600_000,
    apiKeysRefreshMs: listPollMs,
    requestsPerMinute: enoughForLists,
    budgetPerMinute: () => options.requestsPerMinute ?? enoughForLists,
    concurrency: 4,
    now: () => account.state.now,
    sleep: () => Promise.reject(new Error('nobody waits here')),
    // The projects of most tests have no use at all, in no place.
    cpuSource: 'list',
    ...options,
  });
  const startListPoll = async () => {
    account.state.now += listPollMs;
    await Promise.all([poller.pollProjectList(stop.signal), poller.pollApiKeys(stop.signal)]);
    poller.beginRound(stop.signal);
  };
  /** @returns what was recorded by one list poll and the project polls it started. */
  const listPoll = async () => {
    readings.length = 0;
    await startListPoll();
    await poller.idle();
    return readings.map(describeReading);
  };
  const polled = () => readings.flatMap(each => (each.kind === 'project' ? [each.project_id] : []));
  return {
    ...account,
    account,
    poller,
    readings,
    problems,
    imports,
    disk,
    stop,
    startListPoll,
    listPoll,
    polled,
  };
}

export const pollOf = 'project: endpoints, 0 operations';
