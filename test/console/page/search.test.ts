import { afterAll, beforeAll, expect, test } from 'vitest';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import { projectsReading, startAt, wireProject } from '../../support/reading-builder.ts';

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

test('what is looked for is text, whatever is in it', async () => {
  expect(await find('%')).toEqual(['project p4']);
  expect(await find('\'"; DROP')).toEqual(['project p4']);
  expect(await find('_ROP TABLE')).toEqual([]);
  const { text } = await shown.get(`/search?q=${encodeURIComponent('<b>%')}`);
  expect(text).toContain('<a href="/projects/main/p4"><b>&lt;b>%_');
  expect(text).not.toContain('<b>%');
});
