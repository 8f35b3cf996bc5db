import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../../support/csv-reader.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import {
  day,
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';

const hostile = `<script>alert(1)</script>"'&\u202egnp.\u0007${'x'.repeat(10_000)}`;
const now = startAt + 40 * day;
const folder = new HistoryFolder();
let shown: Awaited<ReturnType<typeof openConsole>>;

/** An operation that ended so long before now, or was created then. */
function operation(id: string, agoMs: number, fields: Record<string, unknown> = {}) {
  const times = { created_at: instant(now - agoMs - 4000), updated_at: instant(now - agoMs) };
  return wireOperation(id, { ...times, endpoint_id: 'ep-1', ...fields });
}

const failed = { status: 'failed', failures_count: 3, error: 'no capacity' };

beforeAll(async () => {
  const history = folder.open({ accounts: ['main', 'other'] });
  const projects = [wireProject('p1', { name: 'shop' }), wireProject('p/2', { name: hostile })];
  history.commitOne(projectsReading(now - 39 * day, projects));
  const p1 = [
    operation('failed-now', minute, failed),
    ...Array.from({ length: 5 }, (_, index) => operation(`tied-${index}`, 60 * minute, failed)),
    operation('failed-days', 3 * day, { ...failed, status: 'error', action: 'apply_config' }),
    operation('failed-weeks', 20 * day, { ...failed, status: 'cancelled' }),
    operation('failed-long', 35 * day, failed),
    operation('fine', 2 * minute),
    operation('stuck', 3 * 60 * minute, { status: 'running' }),
    operation('young', minute, { status: 'scheduling' }),
  ];
  const p2 = [operation('hostile', 2 * minute, { ...failed, error: hostile, action: '<b>odd</b>' })];
  history.commitOne(projectReading(now, 'p1', { endpoints: [wireEndpoint('ep-1')], operations: p1 }));
  history.commitOne(projectReading(now, 'p/2', { endpoints: [], operations: p2 }));
  history.commitOne(projectsReading(now, projects));
  const other = { account: 'other' };
  history.commitOne(projectsReading(now, [wireProject('p1', { name: 'elsewhere' })], other));
  const away = [operation('away', 5 * minute, failed)];
  history.commitOne(projectReading(now, 'p1', { endpoints: [], operations: away }, other));
  folder.close(history);
  shown = await openConsole({ file: folder.file, now, accounts: ['main', 'other'] });
});
afterAll(() => {
  shown.close();
  folder[Symbol.dispose]();
});

interface Answered {
  readonly operation_id: string;
  readonly outcome: string;
}

const idsOf = (section: { readonly operations: readonly Answered[] }) =>
  section.operations.map(({ operation_id }) => operation_id);

test('how many failed, and how many are in progress, says of what', async () => {
  const { text } = await shown.get('/operations?account=main');
  const read = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(read).toContain('Failed in 24 hours 7 operations CSV ');
  expect(read).toContain('In progress 2 operations ');
});

test('what the bar counts is looked up again when the history changed, and not for each page', async () => {
  const { history } = shown.sources;
  let looks = 0;
  const count = () => history.lookOnce('looks', () => (looks += 1));
  // The log is opened with the first look.
  count();
  const before = count() ?? 0;
  expect(count()).toBe(before);
  const writer = new Database(folder.file);
  writer.exec('UPDATE account SET imported_at = imported_at + 1');
  writer.close();
  expect([count(), count()]).toEqual([before + 1, before + 1]);
});

test('what failed in the range comes first, the newest at the top, then what goes on, the oldest at the top', async () => {
  const { failed: found, in_progress, all } = await shown.json('/operations');
  expect(found.count).toBe(8);
  expect(idsOf(found).slice(0, 3)).toEqual(['failed-now', 'hostile', 'away']);
  expect(found.operations[0]).toMatchObject({
    ...{ account: 'main', project_id: 'p1', project_name: 'shop', endpoint_id: 'ep-1' },
    ...{ action: 'start_compute', status: 'failed', outcome: 'failed', failures_count: 3 },
    ...{ error: 'no capacity', duration_ms: 4000, ended_at: instant(now - minute) },
  });
  expect(idsOf(in_progress)).toEqual(['stuck', 'young']);
  expect(in_progress).toMatchObject({ count: 2, stuck: 1 });
  expect(in_progress.operations.map(({ outcome }: Answered) => outcome)).toEqual(['stuck', 'in_progress']);
  expect(all).toBeNull();
});

test('all that failed in the time is a file, and none is offered of a filtered list', async () => {
  const page = await shown.get('/operations?range=7d&account=main');
  const [, address = ''] = /href="([^"]+)" download/.exec(page.text) ?? [];
  expect(address).toBe(
    '/reports/operations?by=operation&amp;failed=yes&amp;format=csv&amp;account=main&amp;period=last-7d',
  );
  expect((await shown.get('/operations?range=7d&action=apply_config')).text).not.toContain('download');
  const file = await shown.get(address.replaceAll('&amp;', '&'));
  const ids = readCsv(file.text).rows.map(({ operation_id }) => operation_id);
  const { failed: listed } = await shown.json('/operations?range=7d&account=main');
  expect(ids.toSorted()).toEqual(idsOf(listed).toSorted());
  const counted = shown.sources.history.look(({ operations }) =>
    ['main', 'other'].map(account =>
      operations.countEnded({ account, fromAt: now - 7 * day, untilAt: now, most: 100 }),
    ),
  );
  // One more ended well.
  expect(counted).toEqual([ids.length + 1, 1]);
});

test('longer ranges have older failures', async () => {
  const count = async (range: string) => (await shown.json(`/operations?range=${range}`)).failed.count;
  expect([await count('24h'), await count('7d'), await count('30d')]).toEqual([8, 9, 10]);
});

test('filters take an account, a project, an action, or one kind alone', async () => {
  const ids = async (query: string) => {
    const { failed: found, in_progress } = await shown.json(`/operations?range=7d&${query}`);
    return [found && idsOf(found), in_progress && idsOf(in_progress)];
  };
  expect(await ids('account=other')).toEqual([['away'], []]);
  expect(await ids('project=p%2F2')).toEqual([['hostile'], []]);
  expect(await ids('action=apply_config&status=failed')).toEqual([['failed-days'], null]);
  expect(await ids('status=in_progress')).toEqual([null, ['stuck', 'young']]);
  expect(await ids('project=shop')).toEqual(await ids('project=p1'));
});

test('a part of the name or id of projects filters, and where none has it the page and its filter stay', async () => {
  const { failed: found, alike_projects } = await shown.json('/operations?project=P');
  expect(idsOf(found).toSorted()).toEqual(
    ['away', 'failed-now', 'hostile', ...Array.from({ length: 5 }, (_, index) => `tied-${index}`)].toSorted(),
  );
  expect(alike_projects.map(({ project_id }: { project_id: string }) => project_id).toSorted()).toEqual([
    'p/2',
    'p1',
    'p1',
  ]);
  const shop = await shown.json('/operations?project=sHo');
  expect(idsOf(shop.failed)).toEqual(idsOf((await shown.json('/operations?project=p1')).failed));
  const several = await shown.get('/operations?project=p&status=all');
  expect(several.text).toContain('All operations of which project?');
  expect(several.text).toContain('status=all&amp;limit=50">');
  const none = await shown.get('/operations?project=nobody&action=apply_config');
  expect(none.status).toBe(200);
  expect(none.text).toContain('<h1>Operations</h1>');
  expect(none.text).toContain('No project has “nobody” in its name or id.');
  expect(none.text).toContain('name="project" value="nobody"');
  expect(none.text).not.toContain('No operation failed');
});

test('a failure without a success since stands first and is told, one that worked since is not', async () => {
  using broken = new HistoryFolder();
  const history = broken.open();
  const endpoints = [wireEndpoint('ep-1')];
  history.commitOne(projectsReading(now - day, [wireProject('p1')]));
  history.commitOne(projectReading(now - day, 'p1', { endpoints, operations: [] }));
  const operations = [
    operation('config', 9 * minute, { ...failed, action: 'apply_config' }),
    operation('start', 8 * minute, failed),
    operation('elsewhere', 6 * minute, { endpoint_id: null }),
    operation('again', 5 * minute),
    operation('once-more', 4 * minute),
  ];
  history.commitOne(projectReading(now, 'p1', { endpoints, operations }));
  broken.close(history);
  const at = await openConsole({ file: broken.file, now });
  const { failed: found } = await at.json('/operations');
  expect(
    found.operations.map(({ operation_id, worked_at }: Record<string, string>) => [operation_id, worked_at]),
  ).toEqual([
    ['start', instant(now - 5 * minute)],
    ['config', null],
  ]);
  const { text } = await at.get('/operations');
  expect(text).toContain('failed, no success since</span>');
  expect(text.indexOf('/p1/config"')).toBeLessThan(text.indexOf('/p1/start"'));
  expect(text).toContain(': 1 failed with no success since</span>');
  at.close();
});

test.each([
  ['status=failed&range=30d&limit=2', 'failed'],
  ['status=in_progress&limit=1', 'in_progress'],
  ['status=all&range=30d&account=main&project=p1&limit=3', 'all'],
])('the parts of %s add up to the whole, each operation once', async (query, section) => {
  const whole = await shown.json(`/operations?${query}&limit=200`.replace(/&limit=\d(?=&)/, ''));
  const parts: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const part: { operations: Answered[]; next_cursor: string | null } = (
      await shown.json(`/operations?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    )[section];
    parts.push(...idsOf(part));
    cursor = part.next_cursor;
  }
  expect(parts).toEqual(idsOf(whole[section]));
  expect(new Set(parts).size).toBe(parts.length);
});

test('all operations are listed of one project, those that went well too', async () => {
  const { all } = await shown.json('/operations?status=all&account=main&project=p1');
  expect(idsOf(all)).toContain('fine');
  const { status, text } = await shown.get('/api/v1/operations?status=all');
  expect(status).toBe(400);
  expect(JSON.parse(text).possible).toContain('project: the id of one');
  expect((await shown.get('/operations?status=all&project=p1')).text).toContain(
    'Several accounts have a project with this id.',
  );
});

test('what failed alike is counted together, and each group leads to its operations', async () => {
  const { failed: found } = await shown.json('/operations?range=30d');
  const groups = found.alike.map(({ action, cause, failed: count, projects }: Record<string, unknown>) => [
    ...[action, String(cause).slice(0, 20), count, projects],
  ]);
  expect(groups).toEqual([
    ['start_compute', 'no capacity', 8, 2],
    ['<b>odd</b>', '<script>alert(1)</sc', 1, 1],
    ['apply_config', 'no capacity', 1, 1],
  ]);
  expect(found.alike.reduce((sum: number, each: { failed: number }) => sum + each.failed, 0)).toBe(
    found.count,
  );
  for (const { action, cause, failed: count } of found.alike) {
    const query = new URLSearchParams({ range: '30d', status: 'failed', action, cause });
    expect((await shown.json(`/operations?${query}`)).failed.count).toBe(count);
  }
  expect((await shown.json('/operations?region=nowhere')).failed.count).toBe(0);
});

test('a long list of failures is folded by what failed alike', async () => {
  using many = new HistoryFolder();
  const history = many.open();
  history.commitOne(projectsReading(now - day, [wireProject('p1', { region_id: 'aws-us' })]));
  history.commitOne(projectReading(now - day, 'p1', { endpoints: [wireEndpoint('ep-1')], operations: [] }));
  const operations = Array.from({ length: 20 }, (_, index) =>
    operation(`failed-${index}`, (index + 1) * minute, index < 15 ? failed : { ...failed, error: null }),
  );
  history.commitOne(projectReading(now, 'p1', { endpoints: [wireEndpoint('ep-1')], operations }));
  many.close(history);
  const at = await openConsole({ file: many.file, now });
  const { text } = await at.get('/operations');
  expect(text).toContain('What failed alike, the most frequent first');
  expect(text).toContain(
    'href="/operations?range=24h&amp;action=start_compute&amp;region=aws-us&amp;cause=no+capacity&amp;status=failed&amp;limit=50"',
  );
  expect(text).toContain('<th scope="col">The service said</th>');
  // The parts of the list are those of single operations.
  const parts = await at.get('/operations?status=failed&limit=5');
  expect(parts.text).toMatch(/rel="next"[^>]*>Next<\/a><\/nav><\/details>/);
  const alone = await at.get('/operations?status=failed&cause=none');
  expect(alone.text).toContain('<h1>5 operations failed in 24 hours: the service said nothing</h1>');
  expect(alone.text).not.toContain('What failed alike');
  at.close();
});

test('a filtered page says in its title what it is filtered by', async () => {
  const { text } = await shown.get('/operations?status=failed&action=start_compute&project=shop&range=7d');
  expect(text).toContain('<h1>7 operations failed in 7 days: action start_compute, project shop</h1>');
});

test('a column of what the service said is not drawn where it said nothing', async () => {
  using silent = new HistoryFolder();
  const history = silent.open();
  const unsaid = { ...failed, error: null };
  history.commitOne(projectsReading(now - day, [wireProject('p1')]));
  history.commitOne(projectReading(now - day, 'p1', { endpoints: [wireEndpoint('ep-1')], operations: [] }));
  const operations = Array.from({ length: 20 }, (_, index) =>
    operation(`failed-${index}`, (index + 1) * minute, {
      ...unsaid,
      ...(index < 5 && { action: 'apply_config' }),
    }),
  );
  history.commitOne(projectReading(now, 'p1', { endpoints: [wireEndpoint('ep-1')], operations }));
  silent.close(history);
  const at = await openConsole({ file: silent.file, now });
  const { text } = await at.get('/operations');
  expect(text).toContain('What failed alike, the most frequent first');
  expect(text).not.toContain('service said');
  at.close();
});

test('an account or an action that is not there is refused with what is', async () => {
  const refused = async (query: string) => {
    const { status, text } = await shown.get(`/api/v1/operations?${query}`);
    const { detail, possible } = JSON.parse(text);
    return [status, detail, possible];
  };
  expect(await refused('account=nobody')).toEqual([400, 'There is no account "nobody".', ['main', 'other']]);
  expect(await refused('action=dance')).toEqual([
    400,
    'There is no action "dance".',
    expect.arrayContaining(['apply_config']),
  ]);
});

test('an empty field of a form is as if it were not there', async () => {
  const written = await shown.json('/operations?range=&account=&project=&status=&limit=&cursor=');
  const { from: _from, until: _until, ...rest } = await shown.json('/operations');
  expect(written).toMatchObject(rest);
});

test('a cursor of nowhere is refused with what to do', async () => {
  for (const query of ['cursor=abc', 'cursor=abc&status=failed', 'cursor=WzFd&status=failed']) {
    const { status, text } = await shown.get(`/operations?${query}`);
    expect(status).toBe(400);
    expect(text).toContain('Possible are:');
  }
});

test('the page says how many failed and are stuck, leads to their projects, and shows hostile words as text', async () => {
  const { text } = await shown.get('/operations');
  expect(text).toContain('<h1>1 operation is stuck, 8 failed in 24 hours</h1>');
  expect(text).toContain(
    '1 of them is stuck: in progress for more than 1 h. The API of the service cannot cancel an operation. Its support can: write to it with the ids of these operations.',
  );
  expect(text).toContain('<a href="/projects/main/p1">shop</a>');
  expect(text).toContain('href="/projects/main/p%2F2"');
  expect(text).toContain('no capacity');
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('<b>odd');
  expect(text.length).toBeLessThan(40_000);
});

test('the lists read what they show from indexes', () => {
  const database = new Database(folder.file, { readonly: true });
  const plan = (sql: string) =>
    database
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join('\n');
  const ended = 'coalesce(updated_at, created_at)';
  const newest = plan(
    `SELECT * FROM operation WHERE phase = 'ended' AND status IN ('failed', 'error', 'cancelled')
     AND ${ended} >= 1 AND ${ended} < 2 ORDER BY ${ended} DESC, project_ref DESC, operation_id DESC LIMIT 10`,
  );
  database.close();
  expect(newest).toContain('USING INDEX operation_failed');
  expect(newest).not.toContain('TEMP B-TREE');
});

test('an answer of some seconds later in which nothing changed is told as unchanged', async () => {
  const later = async (ms: number, ifNoneMatch = '') => {
    const at = await openConsole({ file: folder.file, now: now + ms, accounts: ['main', 'other'] });
    const { status, headers } = await at.get('/api/v1/operations?range=30d', { ifNoneMatch });
    at.close();
    return { status, etag: headers.ETag ?? '' };
  };
  const first = await later(12_345);
  expect(first.status).toBe(200);
  expect((await later(19_876, first.etag)).status).toBe(304);
});

test('a failure that the clock of the service has after now is on the overview and on this page', async () => {
  using ahead = new HistoryFolder();
  const history = ahead.open();
  history.commitOne(projectsReading(now - day, [wireProject('p1')]));
  const endpoints = [wireEndpoint('ep-1')];
  history.commitOne(projectReading(now - day, 'p1', { endpoints, operations: [] }));
  const operations = [operation('ahead', -3 * minute, failed), operation('before', minute, failed)];
  history.commitOne(projectReading(now, 'p1', { endpoints, operations }));
  ahead.close(history);
  const at = await openConsole({ file: ahead.file, now });
  const { troubles } = await at.json('/overview');
  expect(troubles.find(({ kind }: { kind: string }) => kind === 'operations_failed').count).toBe(2);
  expect(idsOf((await at.json('/operations')).failed)).toEqual(['ahead', 'before']);
  expect((await at.get('/operations?action=delete_tenant')).status).toBe(200);
  at.close();
});

test('without a history nothing failed', async () => {
  const empty = await openConsole({ file: `${folder.file}-none`, now });
  const { text } = await empty.get('/operations');
  expect(text).toContain('There is no history yet.');
  empty.close();
});

test('a time in which nothing failed has no sign of a fault', async () => {
  using quiet = new HistoryFolder();
  const history = quiet.open();
  history.commitOne(projectsReading(now, [wireProject('p1')]));
  quiet.close(history);
  const at = await openConsole({ file: quiet.file, now });
  const { text } = await at.get('/operations');
  expect(text).toContain('<h2>Failed in 24 hours</h2>');
  expect(text).not.toContain('href="#warn"');
  at.close();
});
