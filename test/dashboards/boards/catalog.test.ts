import { expect, test } from 'vitest';
import { type Fault, faults } from '../../../dashboards/boards/fault.ts';
import { alerts, listMetrics } from '../../../dashboards/rules/alert-catalog.ts';
import { processFamilies } from '../../../src/metrics/self/process-family.ts';
import { selfFamilies } from '../../../src/metrics/self/self-family.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import { listBoardExpressions } from '../board-expression.ts';
import { listLabels, readQuery, type Selector } from '../query-reader.ts';
import { committedBoards, dataPanels } from './committed-board.ts';
import { isLeftOut } from './left-out.ts';

const ofTarget = ['job', 'instance'];
const families = [
  ...catalog.flatMap(group => Object.values(group.families)),
  ...Object.values(selfFamilies),
  ...Object.values(processFamilies),
].map(({ name, type }): { readonly name: string; readonly type: string } => ({ name, type }));

/** Labels of a metric of a page; undefined also for what Prometheus alone knows: its rules, and whether a target is up. */
const labelsOf = (name: string) => (/^up$|:/.test(name) ? undefined : listLabels(name));

const queries = committedBoards.flatMap(({ board }) =>
  dataPanels(board).flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat = '' }) => ({
      board: board.uid,
      title,
      legendFormat,
      ...readQuery(expr),
    })),
  ),
);

test('every query names metrics of the catalogue, and matches labels they are declared with', () => {
  const strangers = (selectors: readonly Selector[]) =>
    selectors.flatMap(({ name, labels: asked }) => {
      const labels = labelsOf(name);
      if (labels === undefined) return [name];
      return asked.filter(label => !labels.includes(label) && !ofTarget.includes(label));
    });
  expect(queries.length).toBeGreaterThan(80);
  expect(queries.flatMap(({ selectors }) => strangers(selectors))).toEqual([]);
});

test('queries group by, and legends show, only labels that one of their metrics has', () => {
  for (const { title, selectors, groupedLabels, legendFormat } of queries) {
    const known = [...ofTarget, ...selectors.flatMap(({ name }) => labelsOf(name) ?? [])];
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
    expect(
      [...groupedLabels, ...shown].filter(label => !known.includes(label)),
      title,
    ).toEqual([]);
  }
});

test('every metric that an alert watches is on a panel', () => {
  const used = new Set(queries.flatMap(({ selectors }) => selectors.map(({ name }) => name)));
  const watched = alerts.flatMap(alert => [...listMetrics(alert)]);
  const missing = families.filter(
    ({ name, type }) => watched.includes(name) && !used.has(type === 'histogram' ? `${name}_bucket` : name),
  );
  expect(new Set(watched).size).toBeGreaterThan(40);
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('the listed expressions are those of the boards, without a variable left', () => {
  const expressions = listBoardExpressions();
  expect(expressions.length).toBe(queries.length);
  expect(expressions.filter(({ expression }) => expression.includes('$'))).toEqual([]);
  expect(expressions.filter(({ expression }) => readQuery(expression).mistakes.length > 0)).toEqual([]);
  expect(expressions.find(({ panel }) => panel === 'Projects')).toEqual({
    board: 'dbpm-fleet',
    panel: 'Projects',
    expression: 'count(dbpm_project_info{job=~".+", instance=~".+", account=~".+", project_id=~".+"})',
  });
});

test('everything that is said to fill a panel fills one', () => {
  const fillers = new Set(listBoardExpressions().map(({ filledBy }) => filledBy));
  expect(Object.keys(faults).filter(fault => !fillers.has(fault as Fault))).toEqual([]);
});

test('no panel is empty for want of what a compact page leaves out', () => {
  const expressions = listBoardExpressions();
  const panels = Map.groupBy(expressions, ({ board, panel }) => `${board}: ${panel}`);
  expect(expressions.filter(isLeftOut)).toHaveLength(24);
  expect([...panels].filter(([, each]) => each.every(isLeftOut)).map(([name]) => name)).toEqual([]);
});
