import type { TroubledOperation } from '../../../history/browse/browsed-fleet.ts';
import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import { dayMs } from '../../../resources/duration.ts';
import { stuckAfterMs } from '../../../resources/operation.ts';
import type { BudgetUsage } from '../../../resources/usage/view.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-field.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { endOfMinute } from '../../full-minute.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { showNumber, showShare } from '../../part/number.ts';
import type { Trouble } from './overview-answer.ts';

/** So many are named. */
const mostExamples = 3;
/** No more are counted. */
const mostStuck = 1000;

/** Operations that failed in the last day, and operations that are stuck. */
export function findOperationTroubles({ failures }: BrowsedHistory, now: number): Trouble[] {
  const since = endOfMinute(now) - dayMs;
  const failed = failures.byProject(since, Number.MAX_SAFE_INTEGER);
  const count = failed.reduce((sum, each) => sum + each.failures, 0);
  const stuck = failures.stuck(stuckAfterMs, mostStuck);
  const inProjects = `${showNumber(failed.length)} project${failed.length === 1 ? '' : 's'}`;
  return [
    ...some('operations_failed', count, {
      summary: `${showNumber(count)} operation${count === 1 ? '' : 's'} of ${inProjects} failed in the last 24 hours.`,
      href: addressOf('/operations', { status: 'failed' }),
      examples: failures.newest(since, mostExamples).map(each => showOperation(each, each.error ?? '')),
    }),
    ...some('operations_stuck', stuck.length, {
      summary: `${showNumber(stuck.length)} operation${stuck.length === 1 ? ' is' : 's are'} stuck.`,
      href: addressOf('/operations', { status: 'in_progress' }),
      examples: stuck.slice(0, mostExamples).map(each => showOperation(each, 'since')),
    }),
  ];
}

function showOperation({ account, project_id, project_name, action, at }: TroubledOperation, more: string) {
  return {
    text: project_name || project_id,
    href: pathOf('projects', account, project_id),
    detail: more === '' ? action : `${action} ${more}`,
    at: writeInstant(at),
  };
}

/** Budgets whose limit is used up, and those for which that is foreseen. */
export function findBudgetTroubles(budgets: readonly BudgetUsage[]): Trouble[] {
  const over = budgets.filter(({ usedRatio }) => usedRatio >= 1);
  const atRisk = budgets.filter(budget => budget.usedRatio < 1 && isForeseen(budget));
  return [
    ...some('budget_over', over.length, {
      summary: `${over.length === 1 ? 'A budget is' : `${over.length} budgets are`} used up.`,
      href: '/cost',
      examples: over.slice(0, mostExamples).map(showBudget),
    }),
    ...some('budget_at_risk', atRisk.length, {
      summary: `${atRisk.length === 1 ? 'A budget is' : `${atRisk.length} budgets are`} at risk in this period.`,
      href: '/cost',
      examples: atRisk.slice(0, mostExamples).map(showBudget),
    }),
  ];
}

/** By the parts of the limit at which somebody wants to know what is projected. */
function isForeseen({ projected, limit, thresholds }: BudgetUsage): boolean {
  return projected !== undefined && limit > 0 && thresholds.projected.some(part => projected >= part * limit);
}

function showBudget({ budget, usedRatio, projected, limit, exhaustedAt }: BudgetUsage) {
  const foreseen = projected === undefined || limit <= 0 ? '' : `, ${showShare(projected / limit)} expected`;
  const reached = exhaustedAt === undefined ? '' : usedRatio >= 1 ? '; used up' : '; will be used up on';
  return {
    text: budget,
    href: null,
    detail: `${showShare(usedRatio)} spent${foreseen}${reached}`,
    at: writeMaybeInstant(exhaustedAt),
  };
}

/** API keys that nobody used for long, those never used among them. */
export function findKeyTroubles(
  { keys }: BrowsedHistory,
  { keys: rules }: ConsoleConfig,
  now: number,
): Trouble[] {
  const stale = keys
    .list()
    .filter(({ gone_at }) => gone_at === null)
    .map(key => ({ key, since: key.last_used_at ?? key.created_at }))
    .filter(({ since }) => since !== null && now - since > rules.staleAfterMs)
    .sort((a, b) => (a.since ?? 0) - (b.since ?? 0));
  const never = stale.filter(({ key }) => key.last_used_at === null).length;
  const keysWere = `${showNumber(stale.length)} API key${stale.length === 1 ? ' was' : 's were'}`;
  const ofThem = never === 0 ? '' : `, ${showNumber(never)} of them never`;
  return some('keys_stale', stale.length, {
    summary: `${keysWere} not used for ${showNumber(rules.staleAfterMs / dayMs, 1)} days${ofThem}.`,
    href: addressOf('/keys', { show: 'stale' }),
    examples: stale.slice(0, mostExamples).map(({ key, since }) => ({
      text: key.key_name || key.key_id,
      href: null,
      detail: key.last_used_at === null ? 'never used, created' : 'last used',
      at: writeMaybeInstant(since),
    })),
  });
}

const urgent: ReadonlySet<Trouble['kind']> = new Set([
  'operations_failed',
  'operations_stuck',
  'budget_over',
]);

function some(
  kind: Trouble['kind'],
  count: number,
  said: Pick<Trouble, 'summary' | 'href' | 'examples'>,
): Trouble[] {
  const severity = urgent.has(kind) ? 'critical' : 'warning';
  return count === 0 ? [] : [{ kind, count, severity, remedy: [], ...said }];
}
