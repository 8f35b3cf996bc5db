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
  expect(await find('BILLING')).toEqual(['project calm-cloud-1', 'project billing', 'project p3']);
  expect(await find('cloud')).toEqual(['project calm-cloud-1']);
});

test('pages are found by their titles, and nothing by nothing', async () => {
  expect(await find('cost')).toEqual(['page /cost', 'page /cost/why', 'page /report/cost']);
  expect((await find('')).filter((each: string) => !each.startsWith('page'))).toEqual([]);
});

test('what is looked for is text, whatever is in it', async () => {
  expect(await find('%')).toEqual(['project p4']);
  expect(await find('\'"; DROP')).toEqual(['project p4']);
  expect(await find('_ROP TABLE')).toEqual([]);
  const { text } = await shown.get(`/search?q=${encodeURIComponent('<b>%')}`);
  expect(text).toContain('<a href="/projects/main/p4"><b>&lt;b>%_');
  expect(text).not.toContain('<b>%');
});
