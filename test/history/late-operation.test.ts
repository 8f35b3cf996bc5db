import { expect, it } from 'vitest';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

it('a change of state between the reading of the endpoints and that of the operations keeps its own time', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const createdAt = startAt - 60 * minute;
  const endpoint = (state: string) =>
    wireEndpoint('ep-1', { current_state: state, created_at: instant(createdAt) });
  const operation = (id: string, action: string, at: number) =>
    wireOperation(id, { action, created_at: instant(at), updated_at: instant(at) });
  const born = operation('born', 'start_compute', createdAt);
  const suspended = operation('suspended', 'suspend_compute', startAt + 10 * minute);
  history.record(projectsReading(startAt, [wireProject('p')]));
  history.record(projectReading(startAt, 'p', { endpoints: [endpoint('active')], operations: [born] }));
  // The endpoints were served at the start and the operations, after a long wait for the budget, 20 minutes later.
  const late = projectReading(startAt, 'p', {
    endpoints: [endpoint('active')],
    operations: [born, suspended],
  });
  if (late.operations === undefined) throw new Error('the reading has operations');
  history.record({ ...late, operations: { ...late.operations, servedAt: startAt + 20 * minute } });
  const later = { endpoints: [endpoint('idle')], operations: [] };
  history.record(projectReading(startAt + 30 * minute, 'p', later));
  const [durations] = viewOf(history, startAt + 30 * minute).projects.flatMap(({ endpoints }) =>
    endpoints.map(({ stateDurations }) => stateDurations),
  );
  expect(durations).toEqual([
    { state: 'active', durationMs: 70 * minute },
    { state: 'idle', durationMs: 20 * minute },
  ]);
});
