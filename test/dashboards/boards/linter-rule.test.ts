import { describe, expect, test } from 'vitest';
import { readQuery } from '../query-reader.ts';
import { committedBoards, dataPanels } from './committed-board.ts';

/** Units that occur on these boards, by the names Grafana's value formats have. */
const grafanaUnits = [
  'none',
  'locale',
  'string',
  'short',
  'percentunit',
  's',
  'bytes',
  'decbytes',
  'suffix:a minute',
];

/** The rules of grafana/dashboard-linter, by their names; mixtool runs the same and asks for a title and a uid. */
describe.each(committedBoards)('$file', ({ board }) => {
  const panels = dataPanels(board);
  const targets = panels.flatMap(({ title, targets = [] }) =>
    targets.map(target => ({ ...target, title, query: readQuery(target.expr) })),
  );

  test('dashboard has a title and a uid', () => {
    expect(board.title).toMatch(/^DBPM \/ /);
    expect(board.uid).toMatch(/^dbpm-[a-z-]+$/);
  });

  test('template-datasource-rule, template-job-rule, template-instance-rule', () => {
    const find = (name: string) => board.templating.list.filter(variable => variable.name === name);
    expect(board.templating.list.filter(({ type }) => type === 'datasource').map(({ name }) => name)).toEqual(
      ['datasource'],
    );
    for (const [name, label] of [
      ['job', 'Job'],
      ['instance', 'Instance'],
    ] as const) {
      expect(find(name)).toEqual([
        expect.objectContaining({
          type: 'query',
          label,
          multi: true,
          includeAll: true,
          allValue: '.+',
          datasource: { type: 'prometheus', uid: '$' + '{datasource}' },
        }),
      ]);
    }
  });

  test('template-label-promql-rule and template-on-time-change-reload-rule', () => {
    for (const { name, type, query, refresh } of board.templating.list) {
      if (type !== 'query') continue;
      const [, selector = ''] = /^(?:label_values|query_result)\((.+?)(?:, \w+)?\)$/.exec(query) ?? [];
      expect({ name, valid: selector !== '' && readQuery(selector).mistakes.length === 0, refresh }).toEqual({
        name,
        valid: true,
        refresh: 2,
      });
    }
  });

  test('panel-datasource-rule', () => {
    const uids = [...panels, ...targets].map(({ datasource }) => datasource?.uid);
    expect([...new Set(uids)]).toEqual(['$' + '{datasource}']);
  });

  test('panel-title-description-rule, panel-units-rule, panel-no-targets-rule', () => {
    for (const { title, description, fieldConfig, targets: own = [] } of panels) {
      const units = [
        fieldConfig?.defaults.unit,
        ...(fieldConfig?.overrides ?? []).flatMap(({ properties }) =>
          properties.filter(({ id }) => id === 'unit').map(({ value }) => value),
        ),
      ];
      expect(title && description, title).toBeTruthy();
      for (const unit of units) expect(grafanaUnits, title).toContain(unit);
      expect(own.length, title).toBeGreaterThan(0);
      expect(new Set(own.map(({ refId }) => refId)).size, title).toBe(own.length);
    }
  });

  test('target-promql-rule', () => {
    expect(targets.filter(({ query }) => query.mistakes.length > 0).map(({ expr }) => expr)).toEqual([]);
    expect(targets.filter(({ query }) => query.selectors.length === 0).map(({ expr }) => expr)).toEqual([]);
  });

  test('target-rate-interval-rule', () => {
    const rates = targets
      .flatMap(({ query }) => query.selectors)
      .filter(({ rangeFunction }) => rangeFunction === 'rate' || rangeFunction === 'irate');
    expect(rates.filter(({ range }) => range !== '$__rate_interval')).toEqual([]);
  });

  test('target-job-rule and target-instance-rule', () => {
    for (const { matchers } of targets.flatMap(({ query }) => query.selectors)) {
      expect(matchers).toMatchObject({
        job: { operator: '=~', value: '$job' },
        instance: { operator: '=~', value: '$instance' },
      });
    }
  });

  test('target-counter-agg-rule', () => {
    const counters = targets
      .flatMap(({ query }) => query.selectors)
      .filter(({ name }) => name.endsWith('_total'));
    expect(
      counters.filter(({ rangeFunction = '' }) => !['rate', 'irate', 'increase'].includes(rangeFunction)),
    ).toEqual([]);
  });
});
