import { expect, test } from 'vitest';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  day,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const keep = { samples: 10 * day, hours: 10 * day, days: 10 * day, operations: 10 * day };

test('operations that are too old to be kept are counted once, however often the service shows them', () => {
  using folder = new HistoryFolder();
  const history = folder.open({ keep });
  history.record(projectsReading(startAt, [wireProject('p')]));
  const operations = ['o2', 'o1'].map((id, index) =>
    wireOperation(id, {
      action: 'start_compute',
      endpoint_id: 'ep-1',
      created_at: `2026-11-21T09:5${1 - index}:00Z`,
      updated_at: `2026-11-21T09:5${1 - index}:10Z`,
      failures_count: 1,
    }),
  );
  const read = { endpoints: [wireEndpoint('ep-1')], operations };
  history.record(projectReading(startAt, 'p', read));
  const counted = () => {
    const [project] = viewOf(history, startAt).projects;
    return [project?.operations, project?.endpoints[0]?.starts];
  };
  const before = counted();
  for (const later of [30, 60]) {
    const at = startAt + later * day;
    while (history.upkeep(at));
    history.record(projectReading(at, 'p', read));
    expect(counted()).toEqual(before);
  }
});

test('what ended while nobody read is counted, also when it is too old to be kept by then', () => {
  using folder = new HistoryFolder();
  const history = folder.open({ keep: { ...keep, operations: day } });
  history.record(projectsReading(startAt, [wireProject('p')]));
  const restart = (id: string, ended: string) =>
    wireOperation(id, { action: 'restart', created_at: ended, updated_at: ended });
  const first = restart('o1', '2026-11-20T10:00:00Z');
  history.record(projectReading(startAt, 'p', { endpoints: [], operations: [first] }));
  const later = startAt + 9 * day;
  while (history.upkeep(later));
  const missed = restart('o2', '2026-11-22T10:00:00Z');
  history.record(projectReading(later, 'p', { endpoints: [], operations: [missed, first] }));
  expect(viewOf(history, later).projects[0]?.operations?.ended).toMatchObject([
    { action: 'restart', count: 2 },
  ]);
});
