import { expect, test } from 'vitest';
import type { ProjectReading } from '../../src/resources/reading.ts';
import { checkpointOf, HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  instant,
  minute,
  projectReading,
  second,
  startAt,
  wireEndpoint,
  wireOperation,
} from '../support/reading-builder.ts';

const read = {
  endpoints: [wireEndpoint('ep-1', { created_at: instant(startAt - minute), current_state: 'active' })],
  operations: [
    wireOperation('op-1', {
      created_at: instant(startAt - minute),
      updated_at: instant(startAt - 50 * second),
    }),
  ],
};

/** Nothing new was seen in the operations, which were served two seconds after the reading began. */
function lightReading(at: number): ProjectReading {
  const servedAt = at + 2 * second;
  const operations = { items: [], servedAt, rejected: 0, vanishedIds: [], progress: { headAt: startAt } };
  return { ...projectReading(at, 'p', {}), unchanged: true, operations };
}

function shown(history: Parameters<typeof viewOf>[0]) {
  const [project] = viewOf(history, startAt).projects;
  const [endpoint] = project?.endpoints ?? [];
  const { current_state, starts, stateDurations } = endpoint ?? {};
  return { lastRefreshAt: project?.lastRefreshAt, current_state, starts, stateDurations };
}

test('a reading that shows nothing new counts as a refresh and accounts for the time in the state that was read', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  history.record(projectReading(startAt, 'p', read));
  history.record(lightReading(startAt + 5 * minute));
  const expected = {
    lastRefreshAt: startAt + 5 * minute,
    current_state: 'active',
    starts: 1,
    stateDurations: [
      { state: 'active', durationMs: 5 * minute + 52 * second },
      { state: 'init', durationMs: 10 * second },
    ],
  };
  expect(shown(history)).toEqual(expected);
  expect(shown(folder.reopen(history))).toEqual(expected);
});

test('operations alone are neither a refresh nor an observation of a state', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  history.record(projectReading(startAt, 'p', read));
  const { unchanged, ...partial } = lightReading(startAt + 5 * minute);
  expect(unchanged).toBe(true);
  history.record(partial);
  expect(shown(history)).toMatchObject({
    lastRefreshAt: startAt,
    stateDurations: [
      { state: 'active', durationMs: 50 * second },
      { state: 'init', durationMs: 10 * second },
    ],
  });
});

test('the next reading is told how the project stands', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }, { id: 'q' }]);
  expect(checkpointOf(history, 'p')).toEqual({ project_id: 'p', known: { openIds: [] }, busy: false });
  const idle = [wireEndpoint('ep-1', { current_state: 'idle' })];
  const open = wireOperation('open', { status: 'running' });
  history.record(projectReading(startAt, 'p', { endpoints: idle, operations: [open] }));
  history.record(projectReading(startAt, 'q', read));
  expect([...history.knownProjects('main')]).toEqual([
    {
      project: expect.objectContaining({ project_id: 'p' }),
      checkpoint: { project_id: 'p', known: { headAt: startAt, openIds: ['open'] }, busy: true },
    },
    {
      project: expect.objectContaining({ project_id: 'q' }),
      checkpoint: { project_id: 'q', known: { headAt: startAt, openIds: [] }, busy: true },
    },
  ]);
});
