import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HistoryFolder } from '../support/history-folder.ts';
import { openConsole } from '../support/open-console.ts';
import { minute, projectReading, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';

const folder = new HistoryFolder();
const now = startAt + 6 * 3_600_000;
const person = 'user-of-secret-name';
const yaml = `
pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2020-01-01, per_compute_hour: 0.16}]}]}
groups:
  whose: {by: owner}
  team: {web: {projects: ["p1"]}}
budgets:
  - {name: budget-of-somebody, group: whose/${person}, amount: 0.01, per: billing}
  - {name: budget-of-web, group: team/web, amount: 0.01, per: billing}
`;
let shown: Awaited<ReturnType<typeof openConsole>>;

beforeAll(async () => {
  const history = folder.open();
  const listed = (cpu_used_sec: number) => [
    wireProject('p1', { owner_id: person, cpu_used_sec }),
    wireProject('p2', { owner_id: person, cpu_used_sec }),
  ];
  history.commitOne(projectsReading(startAt, listed(0)));
  for (const id of ['p1', 'p2'])
    history.commitOne(projectReading(startAt + minute, id, { endpoints: [], operations: [] }));
  history.commitOne(projectsReading(now, listed(7200)));
  folder.close(history);
  shown = await openConsole({ file: folder.file, now, yaml });
});
afterAll(() => {
  shown.close();
  folder[Symbol.dispose]();
});

describe.each(['', '/api/v1'])('a reader of %s/… who may not see who people are', root => {
  test.each([
    '/projects',
    '/cost?period=2026-11',
    '/cost?period=2026-11&by=group',
    '/cost?period=2026-11&by=group&grouping=whose',
    '/findings',
    '/reports/cost?period=2026-11&by=group&format=csv',
    '/reports/cost?period=2026-11&by=group&grouping=whose&format=csv',
    '/reports/cost?period=2026-11&by=owner&format=csv',
    '/reports/cost?period=2026-11&format=focus',
    '/reports/months?period=2026-11&format=csv',
    '/reports/months?period=2026-11&grouping=whose&format=csv',
    '/report/months?period=2026-11&grouping=whose',
    '/report/cost?period=2026-11&by=owner',
    '/report/budgets',
    '/reports/budgets?format=json',
    '/reports/showback?period=2026-11&format=csv',
    `/reports/showback?period=2026-11&group=whose/${person}&format=csv`,
    '/showback?period=2026-11&grouping=whose',
  ])('is told by %s of nobody', async path => {
    expect((await shown.get(root + path)).text).not.toContain(person);
  });

  test('is told of no budget of theirs, nor of what is spent of it', async () => {
    for (const path of ['/cost', root === '' ? '/' : '/overview']) {
      const { text } = await shown.get(root + path);
      expect([path, text.includes('budget-of-web')]).toEqual([path, true]);
      expect([path, text.includes('budget-of-somebody')]).toEqual([path, false]);
      const { text: whole } = await shown.get(root + path, { showsPersonal: true });
      expect([path, whole.includes('budget-of-somebody')]).toEqual([path, true]);
    }
  });

  test('is told of them once a login is asked for', async () => {
    for (const path of ['/projects', '/reports/cost?period=2026-11&by=group&grouping=whose&format=csv']) {
      const { status, text } = await shown.get(root + path, { showsPersonal: true });
      expect([status, text.includes(person)], path).toEqual([200, true]);
    }
  });
});

test('a grouping that names people is answered by those that do not', async () => {
  const { status, text } = await shown.get('/api/v1/cost?period=2026-11&by=group&grouping=whose');
  expect(status).toBe(400);
  expect(JSON.parse(text).possible).toEqual(['by=group&grouping=team']);
});
