import { describe, expect, test } from 'vitest';
import { boards } from '../../../dashboards/boards/board-list.ts';
import { allPanels, type CommittedPanel, committedBoards, dataPanels } from './committed-board.ts';

test('every committed board is one that is generated', () => {
  expect(committedBoards.map(({ file }) => file).sort()).toEqual(
    boards.map(({ uid }) => `${uid}.json`).sort(),
  );
});

test('no two boards share a title', () => {
  const titles = committedBoards.map(({ board }) => board.title);
  expect(new Set(titles).size).toBe(titles.length);
});

describe.each(committedBoards)('$file', ({ file, board }) => {
  const panels = dataPanels(board);

  test('is classic JSON that Grafana 10 and later read, and nobody edits in place', () => {
    expect(board).toMatchObject({ uid: file.replace('.json', ''), schemaVersion: 42, editable: false });
    expect(board.tags).toEqual([board.uid === 'dbpm-project' ? 'dbpm-drill-down' : 'dbpm']);
    expect(JSON.stringify(board)).not.toContain('"placement":"inControlsMenu"');
  });

  test('leads to the others with time and variables', () => {
    expect(board.links).toEqual([
      expect.objectContaining({ type: 'dashboards', tags: ['dbpm'], includeVars: true, keepTime: true }),
      expect.objectContaining({
        title: 'Console',
        url: expect.stringMatching(/^http:\/\/localhost:10062\/\w+$/),
      }),
    ]);
  });

  test('opens with a text that asks the question it answers', () => {
    const [first] = board.panels;
    expect(first).toMatchObject({ type: 'text', gridPos: { x: 0, y: 0, w: 24 } });
    expect(first?.options?.content).toMatch(/^\*\*[^*]+\?\*\*/);
    expect(board.description).toMatch(/^[A-Z][^*]+\?/);
  });

  test('marks firing alerts', () => {
    const [annotation, ...more] = board.annotations.list;
    expect(more).toEqual([]);
    expect(annotation).toMatchObject({
      enable: true,
      expr: 'ALERTS{alertname=~"Dbpm.*", alertstate="firing"}',
    });
  });

  test('says how old its data is', () => {
    const ages = panels.filter(({ type, title }) => type === 'stat' && title === 'Age of the data');
    expect(ages.map(({ fieldConfig }) => fieldConfig?.defaults.unit)).toEqual(['s']);
  });

  test('has panels with ids of their own that lie beside each other on the grid', () => {
    const all = allPanels(board);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const row of board.panels.filter(({ panels: folded = [] }) => folded.length > 0)) {
      expect(findOverlaps(row.panels ?? [])).toEqual([]);
    }
    expect(findOverlaps(board.panels)).toEqual([]);
  });

  test('has a title, a description, a unit, a word for nothing and a step on every panel', () => {
    for (const { title, description, interval, fieldConfig } of panels) {
      expect({ title, description }).toEqual({
        title: expect.stringMatching(/^[A-Z]/),
        description: expect.stringMatching(/^([A-Z]|\d+th |cpu_used_sec ).+[.?]$/),
      });
      expect({ title, interval }).toEqual({ title, interval: '30s' });
      expect(fieldConfig?.defaults, title).toMatchObject({
        unit: expect.stringMatching(/./),
        noValue: expect.stringMatching(/./),
      });
    }
  });

  test('has no two panels that look the same in a list', () => {
    const names = panels.map(({ title, type }) => `${title} (${type})`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('keeps time, data source and choices on every drill-down link, which leads to a board that is there or to the console', () => {
    const links = panels.flatMap(({ fieldConfig }) => [
      ...(fieldConfig?.defaults.links ?? []),
      ...(fieldConfig?.overrides ?? []).flatMap(({ properties }) =>
        properties.filter(({ id }) => id === 'links').flatMap(({ value }) => value as { url: string }[]),
      ),
    ]);
    const uids = boards.map(({ uid }) => uid);
    const row = (field: string) => `\${__data.fields.${field}}`;
    const project = `http://localhost:10062/projects/${row('account')}/${row('project_id')}`;
    for (const { url } of links.filter(link => link.url !== project)) {
      expect(uids).toContain(/^\/d\/([^?]+)\?/.exec(url)?.[1]);
      for (const kept of [
        '__url_time_range',
        ...['datasource', 'job', 'instance', 'account'].map(v => `${v}:queryparam`),
      ]) {
        expect(url).toContain(`\${${kept}}`);
      }
    }
  });

  test('gives every table a column for each label of its rows', () => {
    for (const { title, type, targets = [], transformations } of panels) {
      if (type !== 'table') continue;
      const organize = transformations?.find(({ id }) => id === 'organize')?.options;
      const columns = Object.keys(organize?.renameByName ?? {});
      const own = columns.filter(name => !name.startsWith('Value'));
      expect(columns.length - own.length, title).toBe(targets.length);
      const { Time, ...leftOut } = organize?.excludeByName ?? {};
      const labels = [...own, ...Object.keys(leftOut)].sort();
      const shown = targets.map(({ expr }) => rowLabels(expr));
      expect([...new Set(shown.flat())].sort(), title).toEqual(labels);
      // A currency, a unit: nothing that tells rows apart.
      const shared = labels.filter(label => shown.every(each => each.includes(label)));
      expect(['currency', 'unit'], title).toEqual(
        expect.arrayContaining(labels.filter(label => !shared.includes(label))),
      );
    }
  });

  test('lets people choose the data source, the target and the account, and nothing that no query reads', () => {
    const [datasource, job, instance, account, ...rest] = board.templating.list;
    expect(datasource).toMatchObject({
      name: 'datasource',
      type: 'datasource',
      label: 'Data source',
      query: 'prometheus',
    });
    expect([job?.name, instance?.name, account?.name]).toEqual(['job', 'instance', 'account']);
    const chosen = rest.filter(({ hide }) => hide === undefined);
    expect(chosen.map(({ name }) => name)).toEqual(
      ['dbpm-api-keys', 'dbpm-exporter'].includes(board.uid)
        ? []
        : ['project', ...(board.uid === 'dbpm-usage-cost' ? ['grouping'] : [])],
    );
    const queries = JSON.stringify(panels.map(({ targets }) => targets));
    for (const { name } of board.templating.list)
      expect(queries).toContain(name === 'datasource' ? '$' + '{datasource}' : `$${name}`);
    const declared = board.templating.list.map(({ name }) => name);
    const read = [...queries.matchAll(/\$([a-z]\w*)/g)].map(([, name]) => name ?? '');
    expect(read.filter(name => !declared.includes(name))).toEqual([]);
  });
});

/** Panels that lie over each other, or beyond the right end. */
function findOverlaps(panels: readonly CommittedPanel[]): readonly string[] {
  const taken = new Map<string, string>();
  const overlaps: string[] = [];
  for (const { title = '', gridPos } of panels) {
    if (gridPos.x + gridPos.w > 24) overlaps.push(`${title} over the end`);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        const other = taken.get(`${x},${y}`);
        if (other !== undefined) overlaps.push(`${title} over ${other}`);
        taken.set(`${x},${y}`, title);
      }
    }
  }
  return overlaps;
}

/** Labels of the outermost `by (…)`, which all tables have. */
function rowLabels(expression: string): readonly string[] {
  const [, labels = ''] = /^[^{]*?\b(?:max|min|sum) by \(([^)]*)\)/.exec(expression) ?? [];
  return labels.split(', ').sort();
}

test('a project is shown by its name and asked for by its id', () => {
  const [variable] = committedBoards.flatMap(({ board }) =>
    board.templating.list.filter(({ name }) => name === 'project'),
  );
  const pattern = new RegExp(variable?.regex?.slice(1, -1) ?? '');
  const option =
    'dbpm_project_info{account="main",project_id="calm-bird-79057623",project_name="crm-db",region_id="eu"} 1 17952';
  expect({ ...pattern.exec(option)?.groups }).toEqual({ value: 'calm-bird-79057623', text: 'crm-db' });
});
