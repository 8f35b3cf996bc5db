import { afterAll, beforeAll, expect, test } from 'vitest';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import {
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireProject,
} from '../../support/reading-builder.ts';

const folder = new HistoryFolder();
let shown: Awaited<ReturnType<typeof openConsole>>;

beforeAll(async () => {
  const history = folder.open();
  history.commitOne(
    projectsReading(startAt, [
      wireProject('calm-cloud-1', { name: 'Billing' }),
      wireProject('billing', { name: 'other' }),
      wireProject('p3', { name: 'old billing' }),
      wireProject('p4', { name: '<b>%_\'"; DROP TABLE project' }),
    ]),
  );
  folder.close(history);
  shown = await openConsole({ file: folder.file, now: startAt });
});
afterAll(() => {
  shown.close();
  folder[Symbol.dispose]();
});

const find = async (q: string) =>
  (await shown.json(`/search?q=${encodeURIComponent(q)}`)).results.map(
    ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`,
  );

test('whole names and ids come before parts of them, small and large letters alike', async () => {
  expect((await find('BILLING')).slice(0, 3)).toEqual([
    'project calm-cloud-1',
    'project billing',
    'project p3',
  ]);
  expect(await find('cloud')).toEqual(['project calm-cloud-1']);
});

test('pages are found by their titles and paths, and nothing by nothing', async () => {
  const pages = (await find('cost')).filter((each: string) => each.startsWith('page'));
  expect(pages).toEqual(['page /cost', 'page /cost/invoice', 'page /cost/why', 'page /report/cost']);
  expect(await find('price')).toContain('page /prices');
  expect((await find('')).filter((each: string) => !each.startsWith('page'))).toEqual([]);
});

test('alerts and documents of the help are found by their names, and no heading twice', async () => {
  expect(await find('DbpmOperationStuck')).toEqual(['help /help/alerts/DbpmOperationStuck']);
  expect(await find('stuck')).toContain('help /help/alerts/DbpmOperationStuck');
  expect((await find('runbook'))[0]).toBe('help /help/alerts#runbook');
  const { text } = await shown.get('/search?q=runbook');
  expect(text).toContain('<a href="/help/alerts#runbook"><b>Runbook</b></a> <span class="s">Alerts</span>');
});

test('a branch that an endpoint alone tells of is found, once and with the endpoints of its project', async () => {
  using own = new HistoryFolder();
  const history = own.open();
  history.commitOne(projectsReading(startAt, [wireProject('p1', { name: 'shop' })]));
  const branch_id = 'br-icy-moon-10006244';
  const [there, other] = ['ep-1', 'ep-2'].map(id => wireEndpoint(id, { branch_id }));
  const left = wireEndpoint('ep-3', { branch_id: 'br-icy-sea-1' });
  history.commitOne(projectReading(startAt, 'p1', { endpoints: [there, other, left] }));
  history.commitOne(projectReading(startAt + 60_000, 'p1', { endpoints: [there] }));
  own.close(history);
  const opened = await openConsole({ file: own.file, now: startAt + 60_000 });
  const { results } = await opened.json('/search?q=BR-icy');
  expect(
    results.map(({ kind, id, is_gone, href }: Record<string, unknown>) => [kind, id, is_gone, href]),
  ).toEqual([
    ['branch', 'br-icy-moon-10006244', false, '/projects/main/p1#endpoints'],
    ['branch', 'br-icy-sea-1', true, '/projects/main/p1#endpoints'],
  ]);
  opened.close();
});

test('groups lead to the list of their projects, configured ones and those by organisation', async () => {
  using own = new HistoryFolder();
  const history = own.open();
  history.commitOne(
    projectsReading(startAt, [
      wireProject('p1', { name: 'shop', org_id: 'org-quiet-sea' }),
      wireProject('p2', { name: 'mail', org_id: 'org-quiet-sea' }),
    ]),
  );
  own.close(history);
  const yaml = `
groups:
  team: {platform: {projects: [shop]}, data: {projects: [mail]}}
  customer: {by: organisation}
`;
  const opened = await openConsole({ file: own.file, now: startAt, yaml });
  const found = async (q: string) =>
    (await opened.json(`/search?q=${q}`)).results
      .filter(({ kind }: { kind: string }) => kind === 'group')
      .map(({ id, href }: Record<string, unknown>) => [id, href]);
  expect(await found('Platf')).toEqual([['team/platform', '/projects?group=team%2Fplatform']]);
  expect(await found('quiet')).toEqual([
    ['customer/org-quiet-sea', '/projects?group=customer%2Forg-quiet-sea'],
  ]);
  expect(await found('nothing')).toEqual([]);
  const { projects } = await opened.json('/projects?group=team%2Fplatform');
  expect(projects.map(({ project_id }: { project_id: string }) => project_id)).toEqual(['p1']);
  expect((await opened.get('/search?q=nothing-is-called-so')).text).toContain(
    'Projects, endpoints, branches, groups, API keys, pages and help are searched, and operations by the first eight letters of their id.',
  );
  opened.close();
});

test('what is looked for is text, whatever is in it', async () => {
  expect(await find('%')).toEqual(['project p4']);
  expect(await find('\'"; DROP')).toEqual(['project p4']);
  expect(await find('_ROP TABLE')).toEqual([]);
  const { text } = await shown.get(`/search?q=${encodeURIComponent('<b>%')}`);
  expect(text).toContain('<a href="/projects/main/p4"><b>&lt;b>%_');
  expect(text).not.toContain('<b>%');
});
