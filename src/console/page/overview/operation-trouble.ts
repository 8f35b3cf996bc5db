import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import type { KnownOperation } from '../../../history/usage/operation-query.ts';
import { dayMs } from '../../../resources/duration.ts';
import { endOfMinute, writeInstant } from '../../answer-value.ts';
import { addressOf, operationPath } from '../../part/address.ts';
import { countOf, countWord } from '../../part/count-word.ts';
import { showNumber } from '../../part/number.ts';
import { rowKey } from '../../report-row.ts';
import { wordsOf } from '../operation/action-word.ts';
import { findBroken, findTroubled } from '../operation/operation.ts';
import type { Trouble } from './overview-answer.ts';
import { mostExamples, namesOf, type TroubleName } from './trouble-name.ts';

type NamedProject = Pick<KnownOperation, 'account' | 'project_id' | 'project_name'>;
type ProjectFailures = NamedProject & { readonly failures: number };

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
function nameStuck(stuck: readonly KnownOperation[]): TroubleName[] {
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

function nameProject(project: NamedProject, href: string, detail: string): TroubleName {
  return { text: nameOf(project), href, detail, at: null };
}

/** Failed operations as one trouble, less urgent where none keeps clients out; the examples that have not worked since come first. */
function describeFailed(byProject: readonly ProjectFailures[], newest: readonly KnownOperation[]): Trouble[] {
  const [last] = newest;
  if (last === undefined) return [];
  const count = byProject.reduce((sum, each) => sum + each.failures, 0);
  const broken = findBroken(newest);
  const inProjects = countOf(byProject.length, 'project');
  const isOver = broken.length === 0;
  const isKeptOut = broken.some(({ keeps_out }) => keeps_out === 1);
  const href = addressOf('/operations', { status: 'failed' });
  const again = `${count === 1 ? 'and has' : 'and have'} worked since`;
  return [
    {
      ...{ kind: 'operations_failed', count, severity: isKeptOut ? 'critical' : 'warning', remedy: [], href },
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
function nameFailed(byProject: readonly ProjectFailures[]): TroubleName[] {
  const isCounted = byProject.some(({ failures }) => failures > 1);
  return byProject
    .toSorted((a, b) => b.failures - a.failures)
    .map(each => nameProject(each, listOf(each, 'failed'), isCounted ? showNumber(each.failures) : ''));
}

/** The title of the page leaves out what worked again. */
function sayFailed(count: number, broken: readonly KnownOperation[]): Pick<Trouble, 'headline' | 'title'> {
  const failed = count === 1 ? 'An operation failed' : `${countWord(count)} operations failed`;
  const [worst] = broken;
  if (worst === undefined)
    return { headline: `${failed} and ${count === 1 ? 'has' : 'have'} worked since`, title: null };
  const { size } = new Set(broken.map(each => rowKey(whatOf(each), each.endpoint_id ?? '')));
  const others =
    size === 1 ? '' : ` and ${size === 2 ? 'another one' : `${countWord(size - 1).toLowerCase()} others`}`;
  const what = `${whatOf(worst)}${others}`;
  const title = `The ${what} failed with no success since`;
  return broken.length === count && size === 1
    ? { headline: title, title: null }
    : { headline: `${failed}; the ${what} ${size === 1 ? 'has' : 'have'} not succeeded since`, title };
}

/** The words for an operation and its project. Those of the same words and endpoint are one thing to mend. */
function whatOf(operation: KnownOperation): string {
  return `${wordsOf(operation.action).noun} of ${nameOf(operation)}`;
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
