import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { enduranceFiles } from '../vitest.endurance.config.ts';
import { readPage, renderOutcome, renderPage } from './endurance-table.ts';
import { filesOf, type Part, parts, type TestPart } from './part-list.ts';

const root = new URL('../..', import.meta.url).pathname;
const isOfTests = (part: Part): part is TestPart => 'tests' in part;
const two: readonly Part[] = [
  { name: 'kills', purpose: 'Daemons are killed.', tests: [] },
  { name: 'soak', purpose: 'Thirty days.', script: [] },
];

test('the page has a row for each part, and keeps those that are not run again', () => {
  const first = renderOutcome({
    ...{ date: '2026-12-01', commit: 'abc1234*', tookMs: 61_200, seed: 7, passed: 12, skipped: 1 },
    failed: ['test/a.test.ts > a | b', 'test/a.test.ts > c'],
  });
  const second = renderOutcome({
    ...{ date: '2026-12-02', commit: 'def5678', tookMs: 59_400, seed: undefined },
    ...{ passed: undefined, skipped: undefined, failed: [] },
  });
  const table = (page: string) => page.split('\n').filter(line => line.startsWith('|'));
  const head = ['| part | what it is for | last run | failed |', '| --- | --- | --- | --- |'];
  const kills =
    '| kills | Daemons are killed. | 2026-12-01, abc1234*, 1 min 1 s, seed 7: 12 passed, 1 skipped | ' +
    'test/a.test.ts > a \\| b<br>test/a.test.ts > c |';
  const page = renderPage(two, new Map([['kills', first]]));
  expect(table(page)).toEqual([...head, kills, '| soak | Thirty days. | – | – |']);
  const later = renderPage(two, new Map([...readPage(page), ['soak', second]]));
  const soak = '| soak | Thirty days. | 2026-12-02, def5678, 59 s | nothing |';
  expect(table(later)).toEqual([...head, kills, soak]);
});

test('of many failures ten are named', () => {
  const failed = Array.from({ length: 12 }, (_, index) => `test ${index}`);
  const counts = { date: '2026-12-01', commit: 'abc1234', tookMs: 1000, seed: 1, passed: 1, skipped: 0 };
  expect(renderOutcome({ ...counts, failed }).at(-1)).toMatch(/^test 0<br>.*<br>test 9<br>2 more$/);
});

test('each test that waits or repeats is in one part, and each part has some', () => {
  const files = globSync(enduranceFiles, { cwd: root });
  const ofParts = parts.filter(isOfTests).map(part => ({ name: part.name, own: filesOf(part, files) }));
  expect(ofParts.flatMap(({ own }) => own).toSorted()).toEqual(files.toSorted());
  expect(ofParts.filter(({ name, own }) => name !== 'rest' && own.length === 0)).toEqual([]);
});
