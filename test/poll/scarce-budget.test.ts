import { expect, it } from 'vitest';
import { openPoller, pollOf } from './open-poller.ts';
import { operation, project, startAt } from './scripted-account.ts';

/** A budget under which one project cannot be read whole as often as its idle refresh wants. */
const scarce = { requestsPerMinute: 7, idleRefreshMs: 60_000 };
const lists = ['api_keys', 'projects'];
const partial = 'project: 0 operations';
const whole = 'project: endpoints, 1 operations';

/** @returns the readings of projects in each list poll. */
async function takePolls({ listPoll }: ReturnType<typeof openPoller>, listPolls: number) {
  const readings: string[] = [];
  for (let count = 0; count < listPolls; count += 1) {
    readings.push((await listPoll()).filter(reading => !lists.includes(reading)).join());
  }
  return readings;
}

it('reads a project at rest by its operations alone, but every fourth time whole', async () => {
  const poller = openPoller(scarce);
  poller.state.projects = [project('a')];
  poller.state.operations.set('a', [operation('o', 60)]);
  const seen = (await takePolls(poller, 20)).filter(reading => reading !== '');
  expect(seen.slice(0, 2)).toEqual([whole, partial]);
  const wholes = seen.flatMap((reading, index) => (reading === whole ? [index] : [])).slice(1);
  expect(wholes.slice(1).map((at, index) => at - (wholes[index] ?? 0))).toEqual([4]);
  expect(poller.readings.every(reading => reading.kind !== 'failure')).toBe(true);
});

it('reads it whole again when an operation ended while it was read: its endpoints may not show that', async () => {
  const poller = openPoller(scarce);
  poller.state.projects = [project('a')];
  const ended = { updated_at: startAt + 30_000 };
  poller.state.operations.set('a', [operation('o', 60, ended)]);
  const seen = (await takePolls(poller, 5)).filter(reading => reading !== '');
  expect(seen).toEqual([whole, whole, partial]);
});

it('reads a busy project, and one of which the list says that something happened, whole', async () => {
  const poller = openPoller({ ...scarce, busy: new Set(['a']) });
  poller.state.projects = [project('a'), project('b')];
  await poller.listPoll();
  poller.state.projects = [project('a'), project('b', { cpu_used_sec: 1 })];
  expect((await poller.listPoll()).filter(reading => !lists.includes(reading))).toEqual([pollOf, pollOf]);
});
