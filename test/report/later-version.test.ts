import { afterAll, beforeAll, expect, test } from 'vitest';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  apiKeysReading,
  projectReading,
  projectsReading,
  wireKey,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { runReport } from '../support/report-run.ts';

const readAt = Date.parse('2026-11-02T00:00:00Z');
const created_at = '2026-10-20T10:00:00Z';
const updated_at = '2026-10-20T10:00:09Z';

let folder: HistoryFolder;
beforeAll(() => {
  folder = new HistoryFolder();
  const history = folder.open();
  const failed = (id: string, error: string) =>
    wireOperation(id, { status: 'failed', created_at, updated_at, error, total_duration_ms: 8250 });
  history.commitOne(projectsReading(readAt, [wireProject('p')]));
  const operations = [
    failed('a', 'no room | for compute'),
    failed('b', 'timed out'),
    failed('c', 'timed out'),
    wireOperation('d', { created_at, updated_at, action: 'suspend_compute' }),
  ];
  history.commitOne(projectReading(readAt, 'p', { endpoints: [], operations }));
  const person = { created_by: { id: 'person-41', name: 'Ada Novak' } };
  history.commitOne(apiKeysReading(readAt, [wireKey(1, person), wireKey(2)]));
  folder.close(history);
});
afterAll(() => folder[Symbol.dispose]());

const report = async (line: string) =>
  (await runReport(line, { file: folder.file, now: readAt + 1000 })).stdout;

test('operations show exact durations, and the words of the service on most of those that went wrong', async () => {
  expect(
    await report('operations --period 2026-10 --by account'),
  ).toBe(`Operations by account, 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC)

account  action           operations  statuses              failed  failed %  failed attempts  p50 s  p95 s
-------  ---------------  ----------  --------------------  ------  --------  ---------------  -----  -----
main     start_compute             3  failed 3                   3     100.0                0    8.3    8.3
    timed out
main     suspend_compute           1  finished 1                 0       0.0                0    9.0    9.0
-------  ---------------  ----------  --------------------  ------  --------  ---------------  -----  -----
total                              4  failed 3, finished 1       3      75.0                0    8.3    9.0

- Durations are from creation to the last change; half and 95% of the operations took no longer.
- The words below a row are what the service said most often of its failed operations.
`);
  const { rows } = JSON.parse(await report('operations --period 2026-10 --by account --format json'));
  expect(rows.map(({ error }: { error: unknown }) => error)).toEqual(['timed out', null]);
});

test('keys show who created them, where the service says so', async () => {
  const [head = '', , first = '', second = ''] = (await report('keys')).split('\n').slice(2);
  expect(head.trimEnd()).toMatch(/gone at +verdict +created by$/);
  expect([first, second].filter(line => line.endsWith('Ada Novak'))).toHaveLength(1);
  const { rows } = JSON.parse(await report('keys --format json'));
  expect(rows).toContainEqual(
    expect.objectContaining({ created_by: 'Ada Novak', created_by_id: 'person-41' }),
  );
  expect(rows).toContainEqual(expect.objectContaining({ created_by: '', created_by_id: '' }));
});
