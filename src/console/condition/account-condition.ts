import { unwrittenReading } from '../../history/file/history-error.ts';
import type { LastingProblem } from '../../log/problem-log.ts';
import { type AccountOverview, type CollectorView, lastListedAt } from '../../resources/account.ts';
import type { Collector } from '../../resources/collector.ts';
import { writeMaybeInstant } from '../answer-value.ts';
import type { LiveAccount, LiveState } from '../live-state.ts';
import type { ConditionDetails } from './condition.ts';

/** Asks the service as the daemon does. */
const checkStep =
  'dbpm-exporter check asks the service from this host with the same configuration, and says what it answers';

/** Conditions of accounts: failures to read them, and readings that are not there yet. */
export function findAccountConditions(
  live: LiveState,
  accounts: readonly { readonly name: string }[],
): readonly ConditionDetails[] {
  // Where only histories are looked at, these say which account they lack.
  const isPolled = live.histories === undefined;
  const known = new Set(live.overviews.map(({ summary }) => summary.account));
  const unknown = accounts.flatMap(({ name }) =>
    isPolled && !known.has(name) ? [describeNew(name, live)] : [],
  );
  return [...unknown, ...live.overviews.flatMap(overview => findOfAccount(overview, live))];
}

function findOfAccount(overview: AccountOverview, live: LiveState): readonly ConditionDetails[] {
  const { account, collectors } = overview.summary;
  const list = collectors.find(({ collector }) => collector === 'projects');
  const failed = collectors.filter(({ success }) => success === false);
  const attempts = describeAttempts(account, live);
  const about = { account, last_good: writeMaybeInstant(list?.lastSuccessAt) };
  if (isUnlisted(overview, list)) {
    const reads = collectors.filter(({ collector, success }) => collector !== 'projects' && success);
    const problem = findProblem(live, account, 'projects') ?? findUnwritten(live);
    return [
      {
        ...{ ...about, ...attempts, severity: 'critical' },
        // The list of keys may be read all the same.
        collector: reads.some(({ collector }) => collector === 'api_keys') ? 'projects' : null,
        ...describeUnlisted(overview, problem),
        ...describeProblem(problem, attempts),
      },
    ];
  }
  return [
    ...failed.map(each => describeFailing(account, each, findProblem(live, account, each.collector))),
    ...describeUnread(overview, list, live),
  ];
}

/** Whether the list of projects could not be read at the last attempt; in an answer without collectors, any list. */
function isUnlisted({ summary }: AccountOverview, list: CollectorView | undefined): boolean {
  return list?.success === undefined ? summary.up === false : !list.success;
}

function describeUnlisted(
  { summary: { account, authOk } }: AccountOverview,
  problem: LastingProblem | undefined,
): Pick<ConditionDetails, 'kind' | 'sentence'> {
  if (problem === undefined ? authOk === false : problem.reason === 'unauthorized')
    return { kind: 'key_refused', sentence: `The service refuses the API key of account ${account}` };
  if (problem?.what === unwrittenReading)
    return {
      kind: 'history_unwritable',
      sentence: `What is read of account ${account} cannot be written to the history`,
    };
  return { kind: 'account_unreadable', sentence: describeUnreadable(account, problem?.reason) };
}

function describeUnreadable(account: string, reason: string | undefined): string {
  switch (reason) {
    case 'network':
      return `The service cannot be reached for account ${account}`;
    case 'timeout':
      return `The service does not answer in time for account ${account}`;
    case 'unavailable':
      return `The service has trouble and does not serve account ${account}`;
    case 'rate_limited':
      return `The service turns the requests of account ${account} away`;
    case 'forbidden':
      return `The API key of account ${account} may not read its projects`;
    default:
      return `Account ${account} cannot be read`;
  }
}

/** A part of an account that fails, while its projects are listed. */
function describeFailing(
  account: string,
  { collector, lastSuccessAt, failing }: CollectorView,
  problem: LastingProblem | undefined,
): ConditionDetails {
  const words: Readonly<Partial<Record<Collector, string>>> = { api_keys: 'API keys', consumption: 'meter' };
  const name = words[collector] ?? collector;
  const isOne = failing?.count === 1;
  const where = failing === undefined ? '' : ` for ${failing.count} ${isOne ? 'project' : 'projects'}`;
  return {
    ...{ kind: 'collector_failing', severity: 'warning', account, collector },
    sentence: `The ${name} of account ${account} cannot be read${where}`,
    last_good: writeMaybeInstant(lastSuccessAt),
    ...describeProblem(problem, {}),
    ...(failing && { since: writeMaybeInstant(failing.since) }),
  };
}

/** Nothing fails, and not all is there. */
function describeUnread(
  { summary, projects }: AccountOverview,
  list: CollectorView | undefined,
  live: LiveState,
): readonly ConditionDetails[] {
  const { account, importsLeft = 0 } = summary;
  const about = { account, severity: 'info', last_good: writeMaybeInstant(list?.lastSuccessAt) } as const;
  if (lastListedAt(summary) === undefined && summary.up !== true) return [describeNew(account, live)];
  if (importsLeft > 0) {
    const sentence = `The past of account ${account} is still being read`;
    return [{ ...about, kind: 'importing', sentence, cause: `${importsLeft} of ${projects} projects left` }];
  }
  return projects === 0 ? [{ ...about, ...sayEmpty(account) }] : [];
}

function describeNew(account: string, live: LiveState): ConditionDetails {
  return {
    ...{ account, kind: 'account_unread', severity: 'info', sentence: sayUnread(account) },
    ...describeAttempts(account, live),
    remedy: ['its projects come first, then their endpoints and operations, and the API keys'],
  };
}

/** A list that was not answered yet. */
export function sayUnread(account: string): string {
  return `Account ${account} is being read for the first time`;
}

/** An account without projects. */
export function sayEmpty(account: string): Pick<ConditionDetails, 'kind' | 'sentence' | 'remedy'> {
  return {
    kind: 'account_empty',
    sentence: `Account ${account} has no projects`,
    remedy: [
      'if you expect some, check org_id of the account, and projects.include and projects.exclude',
      'a project shows here within one poll of its creation',
    ],
  };
}

/** The attempts at the list of projects; a pause that the service asked for is none. */
function describeAttempts(account: string, { accounts, now }: LiveState) {
  const polled: Partial<LiveAccount> = accounts.find(each => each.account === account) ?? {};
  const { pausedUntil = 0, listingSince, nextListAt } = polled;
  const isPaused = pausedUntil > now;
  const nextAt = nextListAt === undefined ? undefined : Math.max(nextListAt, pausedUntil);
  return {
    attempt_since: writeMaybeInstant(isPaused ? undefined : listingSince),
    next_attempt: writeMaybeInstant(nextAt),
    ...(isPaused && { last_attempt: null }),
  };
}

/** The newest problem with a part of an account. */
function findProblem(
  { problems }: LiveState,
  account: string,
  collector: Collector,
): LastingProblem | undefined {
  return problems
    .filter(({ about }) => about.account === account && about.collector === collector)
    .toSorted((one, other) => other.lastAt - one.lastAt)[0];
}

function findUnwritten({ problems }: LiveState): LastingProblem | undefined {
  return problems.find(({ what }) => what === unwrittenReading);
}

/** The cause and the remedy in the words of the log. */
export function describeProblem(
  problem: LastingProblem | undefined,
  attempts: Partial<ConditionDetails> = {},
): Partial<ConditionDetails> {
  if (problem === undefined) return {};
  const { about, advice, message, sinceAt, lastAt, failures } = problem;
  const [cause = message, ...remedy] = advice?.split('; ') ?? [];
  return {
    ...{ cause, failures, log: message, since: writeMaybeInstant(sinceAt) },
    last_attempt: writeMaybeInstant(lastAt),
    ...attempts,
    remedy: advice === undefined || about.collector === undefined ? remedy : [...remedy, checkStep],
  };
}
