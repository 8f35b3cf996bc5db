import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import { dayMs } from '../../../resources/duration.ts';
import type { BudgetUsage } from '../../../resources/usage/view.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-value.ts';
import { type Condition, sayTogether } from '../../condition/condition.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { countOf, countWord } from '../../part/count-word.ts';
import { showNumber, showShare } from '../../part/number.ts';
import type { Trouble } from './overview-answer.ts';
import { mostExamples, namesOf, type TroubleName } from './trouble-name.ts';

/** Budgets whose limit is used up, and those for which that is foreseen. */
export function findBudgetTroubles(budgets: readonly BudgetUsage[], now: number): Trouble[] {
  const over = budgets.filter(({ usedRatio }) => usedRatio >= 1);
  const atRisk = budgets.filter(budget => budget.usedRatio < 1 && isForeseen(budget));
  return [
    ...describeBudgets('budget_over', over, ['A budget is used up', 'budgets are used up'], () => 'since'),
    ...describeBudgets(
      'budget_at_risk',
      atRisk,
      [`A budget runs out${sayDay(nextEnd(atRisk), now)}`, 'budgets run out in this period'],
      at => (at > now ? 'on' : 'since'),
    ),
  ];
}

function describeBudgets(
  kind: 'budget_over' | 'budget_at_risk',
  found: readonly BudgetUsage[],
  [one, several]: readonly [string, string],
  wordFor: (at: number) => 'since' | 'on',
): Trouble[] {
  const { length: count } = found;
  if (count === 0) return [];
  const at = nextEnd(found);
  return [
    {
      ...{
        kind,
        count,
        severity: kind === 'budget_over' ? 'critical' : 'warning',
        remedy: [],
        href: '/cost',
      },
      summary: `${count === 1 ? one : `${showNumber(count)} ${several}`}.`,
      headline: count === 1 ? one : `${countWord(count)} ${several}`,
      title: null,
      when: at === undefined ? null : { word: wordFor(at), at: writeInstant(at) },
      action: { label: 'See cost', href: '/cost' },
      examples: found.slice(0, mostExamples).map(showBudget),
      ...namesOf(found.map(each => nameBudget(each, wordFor))),
    },
  ];
}

function nameBudget({ budget, exhaustedAt }: BudgetUsage, wordFor: (at: number) => string): TroubleName {
  return {
    text: budget,
    href: null,
    detail: exhaustedAt === undefined ? '' : wordFor(exhaustedAt),
    at: writeMaybeInstant(exhaustedAt),
  };
}

function nextEnd(budgets: readonly BudgetUsage[]): number | undefined {
  return budgets
    .flatMap(({ exhaustedAt }) => exhaustedAt ?? [])
    .toSorted((a, b) => a - b)
    .at(0);
}

/** A day that is near, by UTC: ` today`, ` tomorrow`, ` on 2026-11-27`. */
function sayDay(at: number | undefined, now: number): string {
  if (at === undefined) return ' in this period';
  const days = Math.floor(at / dayMs) - Math.floor(now / dayMs);
  return [' today', ' tomorrow'][days] ?? ` on ${writeInstant(at).slice(0, 10)}`;
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

/** API keys that are not used for long, those never used among them. */
export function findKeyTroubles(
  { keys }: BrowsedHistory,
  { keys: rules }: ConsoleConfig,
  now: number,
): Trouble[] {
  const stale = keys
    .list()
    .filter(({ gone_at }) => gone_at === null)
    .map(key => ({ key, since: key.last_used_at ?? key.created_at ?? now }))
    .filter(({ since }) => now - since > rules.staleAfterMs)
    .sort((a, b) => a.since - b.since);
  const [oldest] = stale;
  if (oldest === undefined) return [];
  const { length: count } = stale;
  const never = stale.filter(({ key }) => key.last_used_at === null).length;
  const ofThem = never === 0 ? '' : `, ${showNumber(never)} of them never`;
  const days = showNumber(rules.staleAfterMs / dayMs, 1);
  const href = '/keys';
  return [
    {
      ...{ kind: 'keys_stale', count, severity: 'warning', remedy: [], href },
      summary: `${countOf(count, 'API key')} ${count === 1 ? 'was' : 'were'} not used for ${days} days${ofThem}.`,
      headline: `${countWord(count)} API key${count === 1 ? ' is' : 's are'} stale`,
      title: null,
      when: { word: 'since', at: writeInstant(oldest.since) },
      action: { label: 'Review', href },
      examples: stale.slice(0, mostExamples).map(({ key, since }) => ({
        text: key.key_name || key.key_id,
        href: null,
        detail: key.last_used_at === null ? 'never used, created' : 'last used',
        at: writeInstant(since),
      })),
      ...namesOf(
        stale.map(({ key }) => ({ text: key.key_name || key.key_id, href: null, detail: '', at: null })),
      ),
    },
  ];
}

/** They are nothing that is wrong: the banner tells them. */
const asMeant: ReadonlySet<Condition['kind']> = new Set([
  ...(['standby', 'shard', 'account_empty', 'account_unread'] as const),
]);

/** The conditions as troubles of now, those of a kind together. */
export function findConditionTroubles(conditions: readonly Condition[]): Trouble[] {
  const byKind = Map.groupBy(
    conditions.filter(({ kind }) => !asMeant.has(kind)),
    ({ kind }) => kind,
  );
  return [...byKind].map(([kind, found]) => {
    const [first] = found;
    return {
      ...{ kind, count: found.length, severity: first?.severity ?? 'info', href: '/health' },
      summary: `${sayTogether(found)}.`,
      headline: sayTogether(found),
      title: null,
      remedy: first?.remedy ?? [],
      when: first?.since == null ? null : { word: 'since', at: first.since },
      action: { label: 'What to do', href: first?.help ?? '/health' },
      examples: found.slice(0, mostExamples).map(describeExample),
      ...namesOf(found.map((each, _, { length }) => nameCondition(each, length === 1))),
    };
  });
}

/** One alone says its cause, too. */
function nameCondition(condition: Condition, isAlone: boolean): TroubleName {
  const { text } = describeExample(condition);
  return { text, href: null, detail: isAlone ? (condition.cause ?? '') : '', at: null };
}

function describeExample({ kind, account, collector, sentence, cause, since, last_good }: Condition) {
  const text =
    account === null || kind === 'problem_lasting'
      ? sentence
      : collector === null
        ? account
        : `${collector} of ${account}`;
  // A cause is no event: since when it is, is said of the whole.
  if (cause !== null) return { text, href: null, detail: cause, at: null };
  return { text, href: null, detail: since === null ? '' : 'since', at: since ?? last_good };
}
