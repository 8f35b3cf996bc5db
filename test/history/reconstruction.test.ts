import { expect, onTestFinished, test } from 'vitest';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const created_at = '2026-11-21T09:50:00Z';

/** A project whose endpoint is awake for the ten minutes of its life, at a size or at none that is reported. */
function reconstruct(limits: Readonly<Record<string, number | null>>) {
  using folder = new HistoryFolder();
  const history = folder.open();
  history.record(
    projectsReading(startAt - 5 * minute, [wireProject('p', { created_at, cpu_used_sec: 300 })]),
  );
  const read = {
    endpoints: [wireEndpoint('ep-1', { created_at, current_state: 'active', ...limits })],
    operations: [
      wireOperation('o1', {
        action: 'start_compute',
        endpoint_id: 'ep-1',
        created_at,
        updated_at: created_at,
      }),
    ],
  };
  history.record(projectReading(startAt - 5 * minute, 'p', read));
  history.record(projectsReading(startAt, [wireProject('p', { created_at, cpu_used_sec: 600 })]));
  history.record(projectReading(startAt, 'p', read));
  const reader = new UsageReader(folder.file, ['main']);
  onTestFinished(() => reader.close());
  return reader.look().reconstruction('main');
}

test('what an endpoint used lies between what it can have used at its sizes', () => {
  expect(reconstruct({ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 })).toEqual({
    reportedComputeSeconds: 600,
    lowerComputeSeconds: 600,
    upperComputeSeconds: 1200,
  });
});

test('of an endpoint without a size nothing can be compared', () => {
  expect(reconstruct({ autoscaling_limit_min_cu: null, autoscaling_limit_max_cu: null })).toBeUndefined();
});
