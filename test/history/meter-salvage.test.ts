import { expect, test } from 'vitest';
import { examineHistory } from '../../src/history/soundness/examination.ts';
import { collectors, optionalCollectors } from '../../src/resources/collector.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { damageTable } from '../support/damaged-history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import { projectsReading, startAt } from '../support/reading-builder.ts';
import { putInPlace, salvageIn } from '../support/salvage-stage.ts';

const withMeter = { collectors: [...collectors, ...optionalCollectors] };
const wire = ['p', 'q'].map(id =>
  wireConsumption(
    id,
    [-30, -2, -1].map(hour =>
      wireTimeframe(startAt + hour * hourMs, startAt + (hour + 1) * hourMs, {
        compute_unit_seconds: 100 - hour,
      }),
    ),
  ),
);
const truth = 2 * (130 + 102 + 101);

test.each([
  ['metered_month'],
  ['metered_day'],
  ['metered_timeframe'],
  ['metered_project'],
  ['metered_account'],
  ['meter_pass'],
])('a meter that lost its %s is read again, and counts once what is still known', table => {
  using folder = new HistoryFolder();
  const history = folder.open(withMeter);
  history.record(projectsReading(startAt, [{ id: 'p' }, { id: 'q' }]));
  history.record(consumptionReading(startAt, wire));
  folder.close(history);
  damageTable(folder.file, table);
  const salvage = salvageIn(folder);
  expect(examineHistory(salvage.file).flaws).toEqual([]);
  putInPlace(folder, salvage.file);
  const saved = folder.open(withMeter);
  const kept = viewOf(saved, startAt).metered?.compute_unit_seconds ?? 0;
  const isNamed = salvage.begunAnew.some(({ metrics }) =>
    metrics.includes('dbpm_account_metered_compute_unit_seconds_total'),
  );
  expect([kept, isNamed]).toEqual([truth, false]);
  expect(saved.meterState('main')?.passes ?? {}).toEqual({});
  saved.record(consumptionReading(startAt, wire));
  expect(viewOf(saved, startAt).metered).toEqual({ compute_unit_seconds: truth });
});
