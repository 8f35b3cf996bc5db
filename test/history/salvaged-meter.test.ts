import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { examineHistory } from '../../src/history/soundness/examination.ts';
import { collectors, optionalCollectors } from '../../src/resources/collector.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import type { Granularity } from '../../src/resources/meter.ts';
import { damageTable } from '../support/damaged-history.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import { projectsReading, startAt } from '../support/reading-builder.ts';
import { findUntold, putInPlace, salvageIn } from '../support/salvage-stage.ts';
import { readCounters } from '../support/stored-counter.ts';

const withMeter = { collectors: [...collectors, ...optionalCollectors] };
const ids = ['p', 'q'];

function read(history: History, granularity: Granularity, stepMs: number, count: number): void {
  const frames = Array.from({ length: count }, (_, index) => {
    const at = Math.floor(startAt / stepMs) * stepMs - (count - index) * stepMs;
    return wireTimeframe(at, at + stepMs, { compute_unit_seconds: (stepMs / hourMs) * 10 });
  });
  const items = ids.map(id => wireConsumption(id, frames));
  history.record(consumptionReading(startAt, items, { granularity }));
}

/** Reads as far back as the service tells: a week by the hour, and sixty days by the day. */
function readService(history: History): void {
  history.record(
    projectsReading(
      startAt,
      ids.map(id => ({ id })),
    ),
  );
  read(history, 'daily', dayMs, 60);
  read(history, 'hourly', hourMs, 168);
}

function openRead(): HistoryFolder {
  const folder = new HistoryFolder();
  const history = folder.open(withMeter);
  read(history, 'daily', dayMs, 150);
  readService(history);
  folder.close(history);
  return folder;
}

test.each([
  'metered_account',
  'meter_pass',
  'metered_project',
  'metered_month',
  'metered_day',
  'metered_timeframe',
])('without %s what was metered counts once, or begins anew and is named', table => {
  using folder = openRead();
  const truth = readCounters(folder.file);
  damageTable(folder.file, table);
  const salvage = salvageIn(folder);
  expect(examineHistory(salvage.file).flaws).toEqual([]);
  expect(findUntold(truth, salvage.file, salvage)).toEqual([]);
  putInPlace(folder, salvage.file);
  const history = folder.open(withMeter);
  readService(history);
  folder.close(history);
  expect(findUntold(truth, folder.file, salvage)).toEqual([]);
  expect(examineHistory(folder.file).flaws).toEqual([]);
});
