import * as v from 'valibot';
import { type AccountStanding, areWhole } from '../report/standing.ts';
import { instantField } from './answer-field.ts';
import { writeMaybeInstant } from './answer-value.ts';
import { sayEmpty, sayUnread } from './condition/account-condition.ts';
import { type Condition, isFailure } from './condition/condition.ts';
import type { LiveState } from './live-state.ts';
import { countOf } from './part/count-word.ts';
import { showNumber } from './part/number.ts';

/** How much of an account figures can rest on. */
const progressField = v.object({
  account: v.string(),
  /** Unread: nothing was read yet. Importing: its past is being read. Empty: it has no projects. Whole: all is there. */
  state: v.picklist(['unread', 'importing', 'empty', 'whole']),
  projects: v.number(),
  /** Projects whose past is still to be read. */
  projects_left: v.number(),
  /** When the past is expected to be read; null where nothing tells. */
  expected_end: v.nullable(instantField),
  /** What is so, and what to do about it; empty where nothing is in the way. */
  summary: v.string(),
});
export type Progress = v.InferOutput<typeof progressField>;

/** What figures of these accounts rest on, and whether it is whole. */
export const restsOnField = v.object({ is_whole: v.boolean(), accounts: v.array(progressField) });
export type RestsOn = v.InferOutput<typeof restsOnField>;

/** What is known at the moment of reading. */
interface Known {
  readonly live: LiveState;
  readonly conditions: readonly Condition[];
}

/** Says how far the reading of accounts is, when it will be done, and the cause and the remedy where it cannot go on. */
export function describeRest(accounts: readonly AccountStanding[], known: Known): RestsOn {
  return {
    is_whole: accounts.length === 0 || areWhole(accounts),
    accounts: accounts.map(each => describeProgress(each, known)),
  };
}

function describeProgress(standing: AccountStanding, known: Known): Progress {
  const { account, state, projects, importsLeft } = standing;
  const endAt = state === 'importing' ? expectEnd(standing, known.live) : undefined;
  return {
    ...{ account, state, projects, projects_left: importsLeft, expected_end: writeMaybeInstant(endAt) },
    summary: summarize(standing, known, endAt),
  };
}

function summarize(
  { account, state, projects, importsLeft }: AccountStanding,
  { live, conditions }: Known,
  endAt: number | undefined,
): string {
  switch (state) {
    case 'unread':
      return describeUnread(account, live, conditions);
    case 'importing':
      return `${sayLeft({ account, projects, importsLeft })}${endAt === undefined ? '' : `: that takes about ${sayTime(endAt - live.now)}`}. Figures are shown when it is whole.`;
    case 'empty':
      return `${sayEmpty(account).sentence}.`;
    case 'whole':
      return '';
  }
}

function sayLeft({ account, projects, importsLeft }: Omit<AccountStanding, 'state'>): string {
  return importsLeft === 0
    ? `What the service metered of account ${account} in the past is still being read`
    : `The past of ${showNumber(importsLeft)} of ${countOf(projects, 'project')} of account ${account} is still being read`;
}

function describeUnread(account: string, { histories }: LiveState, conditions: readonly Condition[]): string {
  const known = conditions.find(each => each.account === account && isFailure(each));
  if (known?.log) return `Account ${account} was never read: ${known.log}.`;
  return histories === undefined ? `${sayUnread(account)}.` : `Nothing is known of account ${account} here.`;
}

/** As fast as it went until now. */
function expectEnd(
  { account, importsLeft }: AccountStanding,
  { imports = [], now }: LiveState,
): number | undefined {
  const began = imports.find(each => each.account === account);
  const done = (began?.left ?? 0) - importsLeft;
  if (began === undefined || done <= 0 || importsLeft === 0) return undefined;
  return now + ((now - began.at) * importsLeft) / done;
}

const minuteS = 60;

function sayTime(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return seconds < 2 * minuteS
    ? countOf(seconds, 'second')
    : `${showNumber(Math.ceil(seconds / minuteS))} minutes`;
}
