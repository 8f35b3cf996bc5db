import { expect, test } from 'vitest';
import { keepAll } from '../../src/history/upkeep/retention.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { collectors } from '../../src/resources/collector.ts';
import { selectFamilies } from '../../src/resources/family-selection.ts';
import { deleteProject, liveProjects } from '../../src/simulator/model/account.ts';
import { setCpuUsed } from '../../src/simulator/model/endpoint.ts';
import { liveEndpoints } from '../../src/simulator/model/project.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { exportText, readTimedSamples, type TimedSample } from '../support/backfill-export.ts';
import { HistoryFolder, viewAll } from '../support/history-folder.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { publishPage } from '../support/page-text.ts';
import {
  instant,
  projectReading,
  projectsReading,
  startAt,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { casesOf } from '../support/seed.ts';

const hour = 3_600_000;
const day = 24 * hour;
const begin = Date.UTC(2026, 9, 1) / 1000;
const pace = { listEverySeconds: 600, projectsEvery: 3 };

/** A fleet that lived for days, with resets, deleted projects and stretches without a reading. */
function live(seed: number): LivedHistory {
  const life = new LivedHistory({ now: begin, seed, projects: 5, historyDays: 10 });
  const random = createRandom(seed, 'disturbance');
  for (let turn = 0; turn < 8; turn += 1) {
    life.watch(random.integer(1, 12) * 1800, pace);
    const projects = liveProjects(life.account);
    const project = projects[random.integer(0, projects.length - 1)];
    if (project !== undefined && random.chance(0.3)) setCpuUsed(project, 0);
    else if (project !== undefined && random.chance(0.2)) deleteProject(project);
    life.miss(random.integer(0, 10) * 1801);
    if (random.chance(0.3)) life.restart();
  }
  life.watch(3600, pace);
  return life;
}

function livePage(life: LivedHistory, groups = catalog): ReadonlyMap<string, number> {
  const { openmetrics } = publishPage(groups, viewAll(life.history, life.now));
  return new Map(
    openmetrics
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

const seriesOf = ({ name, labels }: TimedSample) => `${name}{${labels}}`;

/** Use and cost are worked out by another. */
const watched = catalog.filter(({ unit }) => unit !== 'usage');
const compact = selectFamilies(watched, { mode: 'compact', exclude: [], collectors });

test.each([
  ...casesOf(1, 2, 3).map(seed => [seed, 'full', watched] as const),
  [4, 'compact', compact],
] as const)('the past ends with what the live page says (seed %i, %s)', (seed, _mode, groups) => {
  using life = live(seed);
  const page = livePage(life, groups);
  const text = exportText(life.folder.file, {
    groups,
    fromAt: life.now - 2 * hour,
    untilAt: life.now,
    stepMs: 10 * 60_000,
  });
  const last = readTimedSamples(text).filter(({ at }) => at === life.now);
  const found = new Map(last.map(sample => [seriesOf(sample), sample.value]));
  const told = new Set(last.map(({ name }) => name));
  const expected = [...page].filter(([series]) => told.has(series.slice(0, series.indexOf('{'))));
  const differing = (a: ReadonlyMap<string, number>, b: Iterable<[string, number]>) =>
    [...b]
      .filter(([series, value]) => a.get(series) !== value)
      .map(([series, value]) => [series, value, a.get(series)]);
  expect(differing(found, expected)).toEqual([]);
  expect(differing(page, found)).toEqual([]);
  expect(found.size).toBeGreaterThan(100);
});

test('an operation that ended before it was created is in no histogram, and in none of the past', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  history.commitOne(projectsReading(startAt, [wireProject('p1')]));
  const times = (createdAt: number, endedAt: number) => ({
    created_at: instant(createdAt),
    updated_at: instant(endedAt),
  });
  const operations = [
    wireOperation('odd', times(startAt - hour, startAt - 2 * hour)),
    wireOperation('even', times(startAt - hour, startAt - hour + 4000)),
  ];
  history.commitOne(projectReading(startAt, 'p1', { endpoints: [], operations }));
  folder.close(history);
  const text = exportText(folder.file, {
    ...{ groups: watched, fromAt: startAt - 3 * hour, untilAt: startAt, stepMs: hour / 2 },
    metrics: ['dbpm_operation_duration_seconds'],
  });
  const counts = readTimedSamples(text).filter(
    ({ name, labels }) => name.endsWith('_count') && labels.includes('start_compute'),
  );
  expect(new Set(counts.map(({ value }) => value))).toEqual(new Set([0, 1]));
});

const fallingSeries = (samples: readonly TimedSample[]) => {
  const before = new Map<string, TimedSample>();
  return samples.filter(sample => {
    const last = before.get(seriesOf(sample));
    before.set(seriesOf(sample), sample);
    return last !== undefined && (sample.at <= last.at || sample.value < last.value);
  });
};

test.each(casesOf(5, 6, 7))('counters never fall, and each series goes on in time (seed %i)', seed => {
  using life = live(seed);
  const text = exportText(life.folder.file, {
    fromAt: life.now - 14 * day,
    untilAt: life.now,
    stepMs: hour,
    metrics: ['*_total', 'dbpm_operation_duration_seconds'],
  });
  const samples = readTimedSamples(text);
  expect(fallingSeries(samples)).toEqual([]);
  expect(samples.filter(({ value }) => value < 0)).toEqual([]);
  expect(new Set(samples.map(({ name }) => name)).size).toBe(12);
});

test.each(casesOf(8, 9, 10, 11))('what was pruned stays in the counters (seed %i)', seed => {
  using life = live(seed);
  life.folder.close(life.history);
  const twoDays = 2 * day;
  life.history = life.folder.open({ keep: { ...keepAll, samples: twoDays, operations: twoDays } });
  while (life.history.upkeep(life.now));
  const page = livePage(life);
  const text = exportText(life.folder.file, {
    fromAt: life.now - 6 * day,
    untilAt: life.now,
    stepMs: hour,
    metrics: ['*_total'],
  });
  const samples = readTimedSamples(text);
  expect(fallingSeries(samples)).toEqual([]);
  const last = samples.filter(({ at }) => at === life.now);
  expect(last.filter(sample => page.get(seriesOf(sample)) !== sample.value)).toEqual([]);
  const first = samples.filter(({ at, name }) => at < life.now - 4 * day && name === 'dbpm_operations_total');
  expect(first.some(({ value }) => value > 0)).toBe(true);
});

test('the past is as the service counted it at the time', () => {
  using life = new LivedHistory({ now: begin, seed: 4, projects: 5, historyDays: 10 });
  life.miss(5 * 86_400 + 17);
  const { now } = life;
  const truth = life.truth();
  life.miss(3 * 86_400);
  life.watch(3600, pace);
  const samples = readTimedSamples(
    exportText(life.folder.file, { fromAt: now, untilAt: now + 1, stepMs: 1 }),
  );
  const findValue = (name: string, labels: string) =>
    samples.find(sample => sample.at === now && sample.name === name && sample.labels.endsWith(labels))
      ?.value;
  const live = new Set(
    liveProjects(life.account).flatMap(project => liveEndpoints(project).map(({ id }) => id)),
  );
  const endpoints = truth.projects
    .flatMap(project => project.endpoints)
    .filter(each => live.has(each.endpoint_id));
  expect(endpoints.length).toBeGreaterThan(4);
  for (const { endpoint_id, starts, suspends, state_seconds } of endpoints) {
    const name = `endpoint_id="${endpoint_id}"`;
    expect(findValue('dbpm_endpoint_starts_total', name)).toBe(starts);
    expect(findValue('dbpm_endpoint_suspends_total', name)).toBe(suspends);
    for (const [state, seconds] of Object.entries(state_seconds)) {
      expect([state, findValue('dbpm_endpoint_state_seconds_total', `${name},state="${state}"`)]).toEqual([
        state,
        seconds,
      ]);
    }
  }
});
