import { afterAll, beforeAll, expect, test } from 'vitest';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import {
  day,
  instant,
  minute,
  projectReading,
  projectsReading,
  second,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';

const hostile = `<script>alert(1)</script>"'&\u202egnp.\u0007${'x'.repeat(10_000)}`;
const hour = 60 * minute;
const now = startAt + 40 * day;
const failedAt = now - 2 * hour;
const folder = new HistoryFolder();
let shown: Awaited<ReturnType<typeof openConsole>>;

/** An operation that was created then, and took so long. */
function operation(id: string, at: number, seconds: number, fields: Record<string, unknown> = {}) {
  const times = { created_at: instant(at), updated_at: instant(at + seconds * second) };
  return wireOperation(id, { ...times, ...fields });
}

const failed = { status: 'failed', failures_count: 3, error: 'no capacity' };
const links = `links:
  project: {Vendor: "https://vendor.example.com/{account}/{project_id}", Grafana: "https://grafana.example.com/?p={project_id}"}
  endpoint: {Vendor: "https://vendor.example.com/{endpoint_id}"}
  operation: {"<b>Vendor": "https://vendor.example.com/{project_id}/{operation_id}"}
`;
const yaml = 'groups: {team: {data: {projects: [shop]}}, stage: {prod: {projects: [none]}}}\n';

beforeAll(async () => {
  const history = folder.open({ accounts: ['main', 'other'] });
  const projects = ['p1', 'p/2', 'p3'].map(id =>
    wireProject(id, { name: id === 'p1' ? 'shop' : id, region_id: id === 'p3' ? 'aws-eu' : 'aws-us' }),
  );
  history.commitOne(projectsReading(now - 39 * day, projects));
  const endpoints = [
    wireEndpoint('ep-1', { branch_id: 'br-1', autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4 }),
    wireEndpoint('ep-2', { branch_id: 'br-2' }),
  ];
  const p1 = [
    ...Array.from({ length: 5 }, (_, index) => operation(`fine-${index}`, now - (10 + index) * day, 2)),
    operation('suspended', now - 9 * day, 1, { action: 'suspend_compute' }),
    operation('changed', now - 8 * day, 3, { action: 'apply_config' }),
    operation('failed-before', now - 7 * day, 20, { ...failed, error: null }),
    operation('failed', failedAt, 20, failed),
    operation('again', failedAt + 30 * second, 4),
    operation('checked', now - hour, 60, {
      ...failed,
      action: 'check_availability',
      error: null,
      endpoint_id: 'ep-2',
    }),
    operation('cancelled', now - hour, 1, {
      status: 'cancelled',
      action: 'create_branch',
      endpoint_id: null,
    }),
    operation('stuck', now - 3 * hour, 0, { status: 'running', action: 'apply_config', endpoint_id: 'ep-2' }),
    operation('young', now - minute, 0, { status: 'scheduling' }),
  ];
  history.commitOne(projectReading(now - 9 * day, 'p1', { endpoints, operations: [] }));
  history.commitOne(projectReading(now - 10 * second, 'p1', { endpoints, operations: p1 }));
  const odd = [operation('odd/1', now - hour, 5, { ...failed, action: '<b>odd</b>', error: hostile })];
  history.commitOne(projectReading(now, 'p/2', { endpoints: [], operations: odd }));
  const p3 = [operation('away', failedAt + minute, 20, failed)];
  history.commitOne(projectReading(now, 'p3', { endpoints: [], operations: p3 }));
  history.commitOne(projectsReading(now, projects));
  folder.close(history);
  shown = await openConsole({ file: folder.file, now, accounts: ['main', 'other'], yaml: yaml + links });
});
afterAll(() => {
  shown.close();
  folder[Symbol.dispose]();
});

const of = (id: string) => shown.json(`/operations/main/p1/${id}`);

test('a start that failed says when compute ran again, whom it hits, how often, and what to do', async () => {
  const incident = await of('failed');
  const at = instant(failedAt + 34 * second);
  expect(incident).toMatchObject({
    title: 'An endpoint failed to start, and was awake 34 seconds later',
    awake_at: new Date(at).toISOString(),
    without_compute_ms: 34_000,
    groups: ['team/data'],
    runbook: '/help/alerts/DbpmOperationFailed',
    endpoint: { endpoint_id: 'ep-1', state_then: 'idle', min_cu: 1, max_cu: 4 },
    others_in_progress: 2,
    request: `curl -sS -H "Authorization: Bearer $KEY" 'http://127.0.0.1:1/projects/p1/operations/failed'`,
  });
  expect(incident.meaning).toEqual([
    'It starts the compute of an endpoint. Clients can connect when that runs.',
    'It ended as failed after 20 s, with 3 failed attempts.',
    'The service says: “no capacity”',
  ]);
  expect(incident.impact[0]).toBe(`No compute ran for 34 s, until ${at.slice(11, 19)} UTC.`);
  expect(incident.next_steps.map((step: { do: string }) => step.do)).toEqual([
    'Nothing at once',
    `Look for errors at ${instant(failedAt).slice(11, 19)} UTC in the logs of what connects to it`,
    'Let clients try to connect for 60 s',
    'If it fails again, give the support of the service the ids below',
  ]);
  expect(incident.often).toMatchObject({ ended: 7, failed: 2 });
  expect(incident.failed_before.map((each: { operation_id: string }) => each.operation_id)).toEqual([
    'failed-before',
  ]);
  expect(incident.change_before).toMatchObject({ operation_id: 'changed' });
  expect(incident.elsewhere).toMatchObject({
    count: 1,
    regions: ['aws-eu'],
    operations: [{ operation_id: 'away' }],
  });
  const own = incident.moment.intervals.map(({ state, until }: { state: string; until: string }) => [
    state,
    until,
  ]);
  expect(own).toEqual([
    ['idle', new Date(at).toISOString()],
    ['active', incident.moment.until],
  ]);
});

test('how often it failed says until when it counts, and where later ones are', async () => {
  const { text } = await shown.get('/operations/main/p1/failed-before');
  expect(text).toContain('How often, in the 30 days until it');
  expect(text).toContain('In the 30 days until it, of this action and endpoint');
  expect(text).toContain('1 of 6 failed in the 30 days until it.');
  const [, list = ''] =
    /<a href="([^"]+)">those of the project that failed in the last 30 days/.exec(text) ?? [];
  const { text: later } = await shown.get(list.replaceAll('&amp;', '&'));
  for (const id of ['failed-before', 'failed']) expect(later).toContain(`href="/operations/main/p1/${id}"`);
});

test('what was not seen is not said', async () => {
  const { title, impact, without_compute_ms, next_steps } = await of('checked');
  expect(title).toBe('A check of an endpoint failed');
  expect(without_compute_ms).toBeNull();
  expect(impact[0]).toBe('Whether the endpoint can start is not known.');
  expect(next_steps[0].do).toBe('Connect once: that shows whether it starts');
  const cancelled = await of('cancelled');
  expect(cancelled).toMatchObject({
    title: 'The creation of a branch was cancelled',
    endpoint: null,
    moment: null,
    impact: [
      'The branch may not be there.',
      'No create_branch of this project has succeeded since.',
      'The project has 2 other endpoints: 1 was awake when it began.',
    ],
  });
});

test('an operation that goes on says since when, what waits, and that its end was not read', async () => {
  const stuck = await of('stuck');
  expect(stuck).toMatchObject({
    title: 'A change of settings is stuck: it began 3 h ago',
    runbook: '/help/alerts/DbpmOperationStuck',
    others_in_progress: 1,
  });
  expect(stuck.meaning[1]).toBe('It had not ended when the project was last read, 10 s ago.');
  expect(stuck.impact[0]).toBe(
    '1 other operation of the project finished since it began: it does not hold up all of them.',
  );
  expect(stuck.next_steps[1].do).toBe('Put off changes of settings');
  expect(await of('young')).toMatchObject({ title: 'The start of an endpoint goes on' });
  expect(await of('again')).toMatchObject({
    title: 'An endpoint started in 4 seconds',
    next_steps: [],
    runbook: null,
  });
});

test('starts that failed one after another are told as one outage, on the page of each of them', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const at = (seconds: number) => now - hour + seconds * second;
  const endpoints = [wireEndpoint('ep-1', { current_state: 'idle' })];
  history.commitOne(projectsReading(now - day, [wireProject('p1')]));
  history.commitOne(projectReading(now - day, 'p1', { endpoints, operations: [] }));
  const operations = [
    operation('long-ago', at(-3000), 10, failed),
    operation('worked', at(-2900), 5),
    operation('slept', at(-2000), 1, { action: 'suspend_compute' }),
    operation('first', at(0), 20, failed),
    operation('second', at(40), 20, failed),
    operation('elsewhere', at(50), 20, { ...failed, endpoint_id: 'ep-2' }),
    operation('third', at(80), 20, failed),
    operation('again', at(120), 3),
    operation('slept-again', at(600), 1, { action: 'suspend_compute' }),
    operation('later', at(900), 20, failed),
    operation('latest', at(960), 20, failed),
  ];
  history.commitOne(projectReading(now, 'p1', { endpoints, operations }));
  folder.close(history);
  const opened = await openConsole({ file: folder.file, now });
  const told = async (id: string) => opened.json(`/operations/main/p1/${id}`);
  const clock = (seconds: number) => instant(at(seconds)).slice(11, 19);
  for (const id of ['first', 'second', 'third']) {
    const incident = await told(id);
    expect(incident).toMatchObject({
      title: 'An endpoint failed to start in 3 operations, and was awake 2 min 3 s later',
      without_compute_ms: 123_000,
      failed_starts: { count: 3, is_count_cut: false },
    });
    expect(incident.impact.slice(0, 2)).toEqual([
      `No compute ran for 2 min 3 s, until ${clock(123)} UTC.`,
      `3 starts failed, the first begun at ${clock(0)} UTC, the last at ${clock(80)} UTC.`,
    ]);
  }
  // The tile and the lower chart begin with the first of them.
  expect(Date.parse((await told('third')).moment.from)).toBeLessThan(Date.parse(instant(at(0))));
  const { text } = await opened.get('/operations/main/p1/third');
  expect(text).toContain(`2 min 3 s</div><p class="x">${clock(0)} to ${clock(123)} UTC</p>`);
  expect(text).toContain('<p class="x">3 failed attempts of this operation</p>');
  expect(text).toContain('</svg>first start failed</li>');
  expect((await opened.get('/operations/main/p1/first')).text).not.toContain('</svg>first start failed</li>');
  expect(await told('long-ago')).toMatchObject({ without_compute_ms: 105_000, failed_starts: { count: 1 } });
  const latest = await told('latest');
  expect(latest).toMatchObject({
    title: 'An endpoint failed to start in 2 operations',
    without_compute_ms: null,
    awake_at: null,
    operation: { worked_at: null },
  });
  expect(latest.impact[0]).toBe(`No compute was seen to run since ${clock(900)} UTC.`);
  opened.close();
});

test('of an operation that is stuck the chart ends now, and others that ended since are told', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const endpoints = [wireEndpoint('ep-1')];
  history.commitOne(projectsReading(now - day, [wireProject('p1')]));
  history.commitOne(projectReading(now - day, 'p1', { endpoints, operations: [] }));
  const operations = [
    operation('stuck', now - 5 * hour, 0, { status: 'running', action: 'apply_config' }),
    operation('one', now - 3 * hour, 4),
    operation('two', now - 2 * hour, 4),
    operation('down', now - 2.5 * hour, 1, { action: 'suspend_compute' }),
  ];
  history.commitOne(projectReading(now, 'p1', { endpoints, operations }));
  folder.close(history);
  const opened = await openConsole({ file: folder.file, now });
  const stuck = await opened.json('/operations/main/p1/stuck');
  expect(stuck.impact.slice(0, 2)).toEqual([
    `2 starts of the endpoint finished since, the last at ${instant(now - 2 * hour + 4 * second).slice(11, 19)} UTC: it can start.`,
    '3 other operations of the project finished since it began: it does not hold up all of them.',
  ]);
  expect(stuck.timeline.until).toBe(new Date(now).toISOString());
  const { text } = await opened.get('/operations/main/p1/stuck');
  expect(text).toContain('>apply_config stuck</text>');
  expect(text).not.toContain('other operation</li>');
  expect(text).toContain('5 h <small>so far</small>');
  opened.close();
});

test('of a check that is stuck later checks, settings that went through, and failures after it are told', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const endpoints = [wireEndpoint('ep-1'), wireEndpoint('ep-2')];
  history.commitOne(projectsReading(now - day, [wireProject('p1'), wireProject('p2')]));
  const check = { action: 'check_availability' };
  const settings = { action: 'apply_config' };
  const first = [
    operation('stuck', now - 5 * hour, 0, { ...check, status: 'running' }),
    operation('other-settings', now - 4 * hour, 1, { ...settings, endpoint_id: 'ep-2' }),
  ];
  history.commitOne(projectReading(now - 3.9 * hour, 'p1', { endpoints, operations: first }));
  const shownNow = async () => {
    const opened = await openConsole({ file: folder.file, now });
    const { impact, next_steps, failed_since } = await opened.json('/operations/main/p1/stuck');
    const { text } = await opened.get('/operations/main/p1/stuck');
    opened.close();
    const steps = next_steps.map((step: { do: string }) => step.do);
    return {
      impact,
      steps,
      failed: failed_since.map((each: { operation_id: string }) => each.operation_id),
      text,
    };
  };
  const before = await shownNow();
  expect(before.impact[0]).toBe(
    '1 other operation of the project finished since it began: it does not hold up all of them.',
  );
  expect(before.steps).toEqual([
    'Give the support of the service the ids below',
    'Put off changes of settings',
  ]);
  expect(before.failed).toEqual([]);
  expect(before.text).toContain('Nothing, from 30 days before it until now.');
  const operations = [
    ...first,
    operation('passed', now - 3 * hour, 0, check),
    operation('own-settings', now - 2 * hour, 1, settings),
    operation('bad', now - hour, 5, { ...failed, endpoint_id: 'ep-2' }),
  ];
  history.commitOne(projectReading(now, 'p1', { endpoints, operations }));
  folder.close(history);
  const after = await shownNow();
  expect(after.impact.slice(0, 2)).toEqual([
    'This endpoint passed its check since, last 3 h ago.',
    '3 other operations of the project finished since it began: it does not hold up all of them.',
  ]);
  expect(after.steps).toEqual(['Give the support of the service the ids below']);
  expect(after.failed).toEqual(['bad']);
  expect(after.text).toContain(
    '<h2>What else failed in this project</h2><span class="end s">1 after this one</span>',
  );
});

test('an alert knows the project and the action: the newest failure and the oldest that goes on have names', async () => {
  const id = async (path: string) => (await shown.json(`/operations/main/p1/${path}`)).operation.operation_id;
  expect(await id('last-failed?action=start_compute')).toBe('failed');
  expect(['checked', 'cancelled']).toContain(await id('last-failed?action=any'));
  expect(await id('oldest-open')).toBe('stuck');
});

test('an operation that is not known says where to look', async () => {
  const { status, text } = await shown.get('/api/v1/operations/main/p1/nothing');
  expect(status).toBe(404);
  expect(JSON.parse(text)).toMatchObject({
    title: 'There is no such operation',
    possible: ['/projects/main/p1', '/operations?account=main&project=p1&status=all', '/operations'],
  });
  expect((await shown.get('/operations/main/p1/nothing')).text).toMatch(
    />Project p1<\/a>.*>All operations of the project<\/a>.*>Operations<\/a>/,
  );
  expect(await shown.json('/operations/main/p3/oldest-open')).toMatchObject({
    title: 'No operation is in progress',
  });
  expect(await shown.json('/operations/main/p3/last-failed?action=apply_config')).toMatchObject({
    title: 'No operation failed',
  });
  expect((await shown.get('/operations/nobody/p1/failed')).status).toBe(404);
});

test('the page is drawn from the answer, with hostile words as text', async () => {
  const { text } = await shown.get('/operations/main/p1/failed');
  expect(text).toContain('<h1>An endpoint failed to start, and was awake 34 seconds later</h1>');
  expect(text).toContain('<span class="id">failed</span>');
  expect(text).toContain('href="/help/alerts/DbpmOperationFailed"');
  const odd = await shown.get('/operations/main/p%2F2/odd%2F1');
  expect(odd.status).toBe(200);
  expect(odd.text).not.toContain('<script>alert');
  expect(odd.text).not.toContain('<b>odd');
  for (const control of ['\u202e', '\u0007']) expect(odd.text).not.toContain(control);
  expect(odd.text.length).toBeLessThan(60_000);
});

test('templates of the configuration lead to pages elsewhere, with every value escaped and none left empty', async () => {
  const hrefs = (answer: { links: readonly { href: string }[] }) => answer.links.map(({ href }) => href);
  expect(hrefs(await shown.json('/operations/main/p%2F2/odd%2F1'))).toEqual([
    'https://vendor.example.com/p%2F2/odd%2F1',
    'https://vendor.example.com/ep-1',
    'https://vendor.example.com/main/p%2F2',
    'https://grafana.example.com/?p=p%2F2',
  ]);
  expect(hrefs(await shown.json('/operations/main/p1/cancelled'))).not.toContain(
    'https://vendor.example.com/',
  );
  expect(hrefs(await shown.json('/projects/main/p1'))).toEqual([
    'https://vendor.example.com/main/p1',
    'https://grafana.example.com/?p=p1',
  ]);
  const { results } = await shown.json('/search?q=ep-1');
  expect(hrefs(results.find(({ kind }: { kind: string }) => kind === 'endpoint'))).toEqual([
    'https://vendor.example.com/ep-1',
  ]);
  const { text } = await shown.get('/operations/main/p1/failed');
  expect(text).toContain('href="https://vendor.example.com/p1/failed" rel="noreferrer"');
  expect(text).not.toContain('<b>Vendor');
});

test('lists lead to the page', async () => {
  expect((await shown.get('/operations')).text).toContain('href="/operations/main/p%2F2/odd%2F1"');
});

test('the tables of its drawings have states, operations and how long they were', async () => {
  const { text } = await shown.get('/operations/main/p1/failed');
  const tableOf = (id: string) =>
    new RegExp(`<figure[^>]* id="${id}">.*?<summary>The same as a table</summary>(.*?)</figure>`, 's').exec(
      text,
    )?.[1] ?? '';
  const headings = (id: string) =>
    [...tableOf(id).matchAll(/<th scope="col"[^>]*>([^<]*)</g)].map(([, title]) => title);
  expect(headings('around').join(' ')).toContain(
    'Endpoint Action Operations Failed First Last From State For',
  );
  expect(tableOf('around')).toContain('<caption>States of ep-1, the newest first</caption>');
  expect(tableOf('around')).toMatch(
    /<td data-title="Action">start_compute<\/td><td class="number" data-title="Operations">2<\/td><td class="number" data-title="Failed">1<\/td>/,
  );
  expect(headings('moment')).toEqual(['From', 'State or operation', 'For']);
  const cells = [...tableOf('moment').matchAll(/<td[^>]*>(?:<span[^>]*>)?([^<]*)/g)].map(([, cell]) => cell);
  const at = (ms: number) => instant(failedAt + ms).slice(11, 19);
  expect(cells).toEqual([
    ...[at(-9 * second), 'asleep', '43 s'],
    ...[at(0), 'start_compute failed', '20 s'],
    ...[at(34 * second), 'awake', '17 s'],
  ]);
});
