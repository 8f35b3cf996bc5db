import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import type { KnownOperation } from '../../../history/usage/operation-query.ts';
import { dayMs } from '../../../resources/duration.ts';
import type { BudgetUsage } from '../../../resources/usage/view.ts';
import { endOfMinute, writeInstant, writeMaybeInstant } from '../../answer-field.ts';
import { type Condition, sayTogether } from '../../condition/condition.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { addressOf, operationPath } from '../../part/address.ts';
import { countOf, countWord } from '../../part/count-word.ts';
import { showNumber, showShare } from '../../part/number.ts';
import { rowKey } from '../../report-row.ts';
import { findTroubled } from '../operation/operation.ts';
import type { Trouble } from './overview-answer.ts';

/** Examples that a trouble has, and names. */
const mostExamples = 3;

type Name = Trouble['names'][number];
type NamedProject = Pick<KnownOperation, 'account' | 'project_id' | 'project_name'>;
type ProjectFailures = NamedProject & { readonly failures: number };

function namesOf(all: readonly Name[]): Pick<Trouble, 'names' | 'more_names'> {
  const names = all.slice(0, mostExamples);
  return { names, more_names: all.length - names.length };
}

/** More of them are not counted. */
const mostCounted = 1000;

/** Operations that should have ended, and operations that failed in the last day. */
export function findOperationTroubles(history: BrowsedHistory, now: number): readonly Trouble[] {
  const untilAt = endOfMinute(now);
  const { stuck, failed } = findTroubled(history, untilAt, mostCounted);
  const byProject = history.operations.failedByProject(untilAt - dayMs, Number.MAX_SAFE_INTEGER);
  return [...describeStuck(stuck), ...describeFailed(byProject, failed)];
}

function describeStuck(stuck: readonly KnownOperation[]): Trouble[] {
  const [oldest] = stuck;
  if (oldest === undefined) return [];
  const { length: count } = stuck;
  const href = addressOf('/operations', { status: 'in_progress' });
  return [
    {
      ...{ kind: 'operations_stuck', count, severity: 'critical', remedy: [], href },
      summary: `${countOf(count, 'operation')} ${count === 1 ? 'is' : 'are'} stuck.`,
      headline: count === 1 ? 'An operation is stuck' : `${countWord(count)} operations are stuck`,
      title: null,
      when: { word: 'since', at: atOf(oldest) },
      action: { label: 'Look into', href: count === 1 ? operationPath(oldest) : href },
      examples: stuck.slice(0, mostExamples).map(each => showOperation(each, '')),
      ...namesOf(nameStuck(stuck)),
    },
  ];
}

/** Projects with the oldest first, and how many those have that have several. */
function nameStuck(stuck: readonly KnownOperation[]): Name[] {
  const byProject = Map.groupBy(stuck, ({ account, project_id }) => rowKey(account, project_id));
  return [...byProject.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return others.length === 0
      ? nameProject(first, operationPath(first), '')
      : nameProject(first, listOf(first, 'in_progress'), showNumber(1 + others.length));
  });
}

function listOf({ account, project_id }: NamedProject, status: 'failed' | 'in_progress'): string {
  return addressOf('/operations', { status, account, project: project_id });
}

function nameProject(project: NamedProject, href: string, detail: string): Name {
  return { text: nameOf(project), href, detail, at: null };
}

/** What has worked since is less urgent, and stands behind what has not. */
function describeFailed(byProject: readonly ProjectFailures[], newest: readonly KnownOperation[]): Trouble[] {
  const [last] = newest;
  if (last === undefined) return [];
  const count = byProject.reduce((sum, each) => sum + each.failures, 0);
  const broken = newest.filter(({ worked_at }) => worked_at === null);
  const inProjects = countOf(byProject.length, 'project');
  const isOver = broken.length === 0;
  const href = addressOf('/operations', { status: 'failed' });
  const again = `${count === 1 ? 'and has' : 'and have'} worked since`;
  return [
    {
      ...{ kind: 'operations_failed', count, severity: isOver ? 'warning' : 'critical', remedy: [], href },
      summary: `${countOf(count, 'operation')} of ${inProjects} failed in the last 24 hours${isOver ? `, ${again}` : ''}.`,
      ...sayFailed(count, broken),
      when: { word: 'last', at: atOf(last) },
      action: { label: 'What happened', href: count === 1 ? operationPath(last) : href },
      examples: [...broken, ...newest.filter(each => !broken.includes(each))]
        .slice(0, mostExamples)
        .map(each => showOperation(each, each.error ?? '')),
      ...namesOf(nameFailed(byProject)),
    },
  ];
}

/** Projects with the most first, and how many each has where not all have one. */
function nameFailed(byProject: readonly ProjectFailures[]): Name[] {
  const isCounted = byProject.some(({ failures }) => failures > 1);
  return byProject
    .toSorted((a, b) => b.failures - a.failures)
    .map(each => nameProject(each, listOf(each, 'failed'), isCounted ? showNumber(each.failures) : ''));
}

/** The title of the page leaves out what worked again. */
function sayFailed(count: number, broken: readonly KnownOperation[]): Pick<Trouble, 'headline' | 'title'> {
  const failed = count === 1 ? 'An operation failed' : `${countWord(count)} operations failed`;
  const [first] = broken;
  if (first === undefined || broken.length === count) {
    const has = count === 1 ? 'has' : 'have';
    return { headline: `${failed} and ${has} ${first === undefined ? '' : 'not '}worked since`, title: null };
  }
  const { size } = new Set(broken.map(({ account, project_id }) => rowKey(account, project_id)));
  if (size > 1) {
    const projects = `${countWord(size)} projects have`;
    return {
      headline: `${failed}; ${projects.toLowerCase()} not succeeded since`,
      title: `${projects} failed with no success since`,
    };
  }
  return {
    headline: `${failed}; ${nameOf(first)} has not succeeded since`,
    // The first word may get a small letter: a name would not be the same.
    title: `Project ${nameOf(first)} has failed with no success since`,
  };
}

function nameOf({ project_id, project_name }: NamedProject): string {
  return project_name || project_id;
}

function showOperation(operation: KnownOperation, more: string) {
  const { action } = operation;
  return {
    text: nameOf(operation),
    href: operationPath(operation),
    detail: more === '' ? action : `${action} ${more}`,
    at: atOf(operation),
  };
}

/** When an operation failed, or else was created. */
function atOf(operation: KnownOperation): string {
  return writeInstant((operation.phase === 'open' ? operation.created_at : operation.ended_at) ?? 0);
}

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

function nameBudget({ budget, exhaustedAt }: BudgetUsage, wordFor: (at: number) => string): Name {
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
      headline: `${countWord(count)} API key${count === 1 ? ' lies' : 's lie'} unused`,
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
function nameCondition(condition: Condition, isAlone: boolean): Name {
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
