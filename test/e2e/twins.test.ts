import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRandom } from '../../src/simulator/model/random.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import { testSeed } from '../support/seed.ts';
import { addresses, createKey, useKey } from './roaming-key.ts';
import { startWorld } from './simulated-world.ts';
import {
  apart,
  cutOff,
  killTwin,
  samplesOf,
  startTwin,
  stateToleranceSeconds,
  type Twin,
  untilTrue,
} from './twin.ts';
import { createDriver, liveProjects } from './world-driver.ts';

vi.setConfig({ testTimeout: 240_000 });

const seeds = new Set([testSeed(20261124), testSeed(7919)]);
const rounds = 8;

/** Counters of which twins may say something else, by how much; each counts its own failures. */
const mayDiffer: Readonly<Record<string, number>> = {
  dbpm_endpoint_state_seconds_total: stateToleranceSeconds,
  dbpm_collector_errors_total: Number.POSITIVE_INFINITY,
  // They are held against the lists that came to each.
  dbpm_api_key_source_address_changes_total: Number.POSITIVE_INFINITY,
};

test.each([...seeds])(
  'two daemons that never speak to each other say the same of every operation, through kills and partitions (TEST_SEED=%i)',
  async seed => {
    const world = await startWorld({ projects: 4, historyDays: 2, seed });
    onTestFinished(() => world.close());
    const random = createRandom(seed, 'twins');
    const drive = createDriver(world, createRandom(seed, 'what twins see'));
    const key = await createKey(world);
    const change = async () => {
      await drive();
      await useKey(world, key, random.pick(addresses));
    };
    const first = await startTwin(world, 'first');
    await first.daemon.untilServing();
    for (let done = 0; done < 4; done += 1) await change();
    const second = await startTwin(world, 'second');
    await second.daemon.untilServing();
    const twins = [first, second] as const;
    onTestFinished(async () => void (await Promise.all(twins.map(({ gateway }) => gateway.close()))));
    for (let round = 0; round < rounds; round += 1) {
      const twin = random.pick(twins);
      await (random.chance(0.5) ? killMeanwhile(twin, change) : partitionMeanwhile(twin, change));
    }
    world.freeze();
    for (const twin of twins) await untilTrue(world, twin);
    // The list of keys comes by itself, and may be the last thing that is read.
    await vi.waitFor(async () => {
      const pages = await Promise.all(twins.map(samplesOf));
      const settled = apart(pages[0] ?? [], pages[1] ?? []);
      expect([...settled].filter(([name, distance]) => distance > (mayDiffer[name] ?? 0))).toEqual([]);
      const wrong = twins.map(({ addressChanges }, index) => addressChanges.differences(pages[index] ?? []));
      expect(wrong).toEqual([[], []]);
    }, 30_000);
  },
);

test('use before a billing reset that one of two twins did not see is lost to the other one for ever', async () => {
  const { world, twins } = await startTwins();
  const [first, second] = twins;
  const [project] = await liveProjects(world);
  if (project === undefined) throw new Error('no project is left');
  const { project_id, cpu_used_sec } = project;
  const before = await cpuOf(twins, project_id);
  await cutOff(second);
  const unseen = 500;
  await world.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: cpu_used_sec + unseen });
  await vi.waitFor(
    async () => expect((await cpuOf([first], project_id))[0]).toBe((before[0] ?? 0) + unseen),
    30_000,
  );
  await world.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: 7 });
  await second.gateway.accept();
  await vi.waitFor(async () => {
    const [one = 0, other = 0] = await cpuOf(twins, project_id);
    expect([one, other]).toEqual([(before[0] ?? 0) + unseen + 7, (before[1] ?? 0) + 7]);
  }, 30_000);
});

test('of changes of an address between two readings a twin counts one, and none where the key came back', async () => {
  const { world, twins } = await startTwins();
  const [, second] = twins;
  const [home, away, abroad] = addresses;
  const key = await createKey(world);
  const counts = (of: readonly Twin[]) =>
    valuesOf(of, 'dbpm_api_key_source_address_changes_total', { key_id: String(key.id) });
  const useSeen = async (address: string, ...expected: readonly number[]) => {
    await useKey(world, key, address);
    await vi.waitFor(
      async () => expect(await counts(twins.slice(0, expected.length))).toEqual(expected),
      30_000,
    );
  };
  await useSeen(home, 0, 0);
  await untilUsed(twins, key.id);
  await useSeen(away, 1, 1);
  await cutOff(second);
  await useSeen(home, 2);
  await useSeen(away, 3);
  await second.gateway.accept();
  await useSeen(abroad, 4, 2);
  await cutOff(second);
  await useSeen(away, 5);
  await useSeen(home, 6);
  await second.gateway.accept();
  await vi.waitFor(async () => expect(await counts(twins)).toEqual([6, 3]), 30_000);
});

/** Two twins that know everything, of a world that stands still. */
async function startTwins() {
  const world = await startWorld({ projects: 3, historyDays: 2 });
  onTestFinished(() => world.close());
  const twins = [await startTwin(world, 'first'), await startTwin(world, 'second')] as const;
  onTestFinished(async () => void (await Promise.all(twins.map(({ gateway }) => gateway.close()))));
  world.freeze();
  for (const twin of twins) await untilTrue(world, twin);
  return { world, twins };
}

const cpuOf = (twins: readonly Twin[], project_id: string) =>
  valuesOf(twins, 'dbpm_project_cpu_used_seconds_total', { project_id });

function valuesOf(twins: readonly Twin[], name: string, labels: Readonly<Record<string, string>>) {
  return Promise.all(twins.map(async twin => sampleValue(await samplesOf(twin), name, labels)));
}

/** Until twins know that a key was used: before that there is no address that another one could differ from. */
async function untilUsed(twins: readonly Twin[], key_id: number): Promise<void> {
  await vi.waitFor(async () => {
    const used = await valuesOf(twins, 'dbpm_api_key_last_used_timestamp_seconds', {
      key_id: String(key_id),
    });
    expect(used).not.toContain(undefined);
  }, 30_000);
}

async function killMeanwhile(twin: Twin, change: () => Promise<void>): Promise<void> {
  await killTwin(twin);
  for (let done = 0; done < 3; done += 1) await change();
  twin.daemon = twin.start();
  await twin.daemon.untilServing();
}

async function partitionMeanwhile(twin: Twin, change: () => Promise<void>): Promise<void> {
  await cutOff(twin);
  for (let done = 0; done < 3; done += 1) {
    await change();
    await pause(300);
  }
  await twin.gateway.accept();
  await pause(500);
}
