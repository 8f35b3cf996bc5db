import { expect, onTestFinished, test } from 'vitest';
import { findFindings } from '../../src/cost/finding/finding-list.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import type { EndpointHistory } from '../../src/resources/endpoint-history.ts';
import { LivedHistory } from '../support/lived-history.ts';

const begin = Date.UTC(2026, 9, 1) / 1000;
const hour = 3600;
const day = 24 * hour;

/** The history of the endpoint that clients use every few hours and that never suspends, over 28 days. */
function neverSuspended(life: LivedHistory): EndpointHistory {
  const reader = new UsageReader(life.folder.file, ['main']);
  onTestFinished(() => reader.close());
  const { usage, endpointHistories } = reader.look();
  const project = usage.projects.find(({ project_name }) => project_name === 'pooled-backend');
  if (project === undefined) throw new Error('there is no such project');
  const [history] = endpointHistories.endpoints(project, () => life.now - 28 * day * 1000);
  if (history === undefined) throw new Error('it has no endpoint');
  return history;
}

function liveWith(seed: number): LivedHistory {
  return new LivedHistory({ now: begin, seed, projects: 1, historyDays: 35, showcase: true });
}

test.each([1, 2])('one use seen just now says nothing of the weeks before it, seed %i', seed => {
  using life = liveWith(seed);
  life.watch(hour, { listEverySeconds: 900, projectsEvery: 1 });
  const [finding] = findFindings(neverSuspended(life));
  expect(finding).toMatchObject({ kind: 'never_suspends', isUpperBound: true });
  expect(finding?.computeHoursPerMonth).toBeCloseTo(2 * 720, 6);
});

test.each([1, 2])('a few days of uses that were seen speak for the weeks before them, seed %i', seed => {
  using life = liveWith(seed);
  life.watch(4 * day, { listEverySeconds: 900, projectsEvery: 1 });
  const [finding] = findFindings(neverSuspended(life));
  expect(finding).toMatchObject({ kind: 'never_suspends', isUpperBound: false });
  // Sessions of 60 to 900 seconds every 1 to 6 hours: about a twentieth of the time is use.
  expect(finding?.computeHoursPerMonth).toBeGreaterThan(0.8 * 2 * 720);
  expect(finding?.computeHoursPerMonth).toBeLessThan(2 * 720);
});

test('days in which nobody read it are no use, and no pause', () => {
  using life = liveWith(1);
  life.watch(3 * day, { listEverySeconds: 900, projectsEvery: 1 });
  life.miss(10 * day);
  life.watch(day, { listEverySeconds: 900, projectsEvery: 1 });
  const [span] = neverSuspended(life).awake;
  expect(span?.unseenMs).toBeGreaterThan((28 - 5) * day * 1000);
  expect(span?.pauses?.every(({ fromAt, untilAt }) => untilAt - fromAt < 7 * hour * 1000)).toBe(true);
  expect(findFindings(neverSuspended(life))[0]?.computeHoursPerMonth).toBeGreaterThan(0.8 * 2 * 720);
});
