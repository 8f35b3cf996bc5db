import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readExposition, type Sample, sampleValue } from '../support/exposition-reader.ts';
import { isLong, testSeeds } from '../support/seed.ts';
import { differences } from '../support/truth.ts';
import { createDriver, liveProjects } from '../world/driver.ts';
import { addresses, createKey, useKey } from '../world/roaming-key.ts';
import { lastingCounter } from '../world/scrape-watch.ts';
import { AddressChangeCount } from './address-change-count.ts';
import type { SimulatedDaemon } from './simulated-daemon.ts';
import { onStage, type Stage, simulatedMinute } from './stage.ts';
import type { Way } from './virtual-service.ts';

const rounds = 8;
/** States are read between operations: the one an endpoint is in goes on while the next reading is waited for. */
const stateToleranceSeconds = 60;

/** Counters that may differ between twins, and by how much; each counts its own failures. */
const mayDiffer: Readonly<Record<string, number>> = {
  dbpm_endpoint_state_seconds_total: stateToleranceSeconds,
  dbpm_collector_errors_total: Number.POSITIVE_INFINITY,
  // They are held against the lists that came to each.
  dbpm_api_key_source_address_changes_total: Number.POSITIVE_INFINITY,
};

it.each(testSeeds(isLong ? 20 : 1))(
  'two daemons that never speak to each other say the same of every operation, through kills and partitions (TEST_SEED=%i)',
  seed =>
    onStage({ seed, service: { projects: 4, historyDays: 2 } }, async stage => {
      const { service } = stage;
      const random = stage.random('twins');
      const drive = createDriver(service, stage.random('what twins see'));
      const key = await createKey(service);
      const change = async () => {
        await drive();
        await useKey(service, key, random.pick(addresses));
        await pause(random.integer(1, 60_000));
      };
      const first = startTwin(stage, 'first');
      for (let done = 0; done < 4; done += 1) await change();
      const twins = [first, startTwin(stage, 'second')] as const;
      for (let round = 0; round < rounds; round += 1) {
        const twin = random.pick(twins);
        const isKilled = random.chance(0.5);
        if (isKilled) await kill(twin);
        else cutOff(twin);
        for (let done = 0; done < 3; done += 1) await change();
        if (isKilled) twin.daemon = twin.start();
        else twin.way.isCut = false;
        await pause(random.integer(1, 5 * simulatedMinute));
      }
      service.freeze();
      for (const twin of twins) await untilTrue(stage, twin);
      // The list of keys comes by itself, and may be the last thing that is read.
      await pause(10 * simulatedMinute);
      const pages = await Promise.all(twins.map(samplesOf));
      const settled = apart(pages[0] ?? [], pages[1] ?? []);
      expect([...settled].filter(([name, distance]) => distance > (mayDiffer[name] ?? 0))).toEqual([]);
      const wrong = twins.map(({ addressChanges }, index) => addressChanges.differences(pages[index] ?? []));
      expect(wrong).toEqual([[], []]);
    }),
);

it('loses use before a billing reset that one of two twins did not see, at that twin alone and for ever', () =>
  onStage({ seed: 1, service: { projects: 3, historyDays: 2 } }, async stage => {
    const { service } = stage;
    const twins = await startSettledTwins(stage);
    const [first, second] = twins;
    const [project] = await liveProjects(service);
    if (project === undefined) throw new Error('no project is left');
    const { project_id, cpu_used_sec } = project;
    const [before = 0, same] = await cpuOf(twins, project_id);
    expect(same).toBe(before);
    cutOff(second);
    const unseen = 500;
    await service.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: cpu_used_sec + unseen });
    await pause(2 * simulatedMinute);
    expect(await cpuOf([first], project_id)).toEqual([before + unseen]);
    await service.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: 7 });
    second.way.isCut = false;
    await pause(20 * simulatedMinute);
    expect(await cpuOf(twins, project_id)).toEqual([before + unseen + 7, before + 7]);
  }));

it('counts one change of an address between two readings, and none where the key came back', () =>
  onStage({ seed: 1, service: { projects: 3, historyDays: 2 } }, async stage => {
    const { service } = stage;
    const twins = await startSettledTwins(stage);
    const [, second] = twins;
    const [home, away, abroad] = addresses;
    const key = await createKey(service);
    const counts = () =>
      valuesOf(twins, 'dbpm_api_key_source_address_changes_total', { key_id: String(key.id) });
    const useSeen = async (address: string) => {
      await useKey(service, key, address);
      await pause(5 * simulatedMinute);
    };
    await useSeen(home);
    expect(await counts()).toEqual([0, 0]);
    await useSeen(away);
    expect(await counts()).toEqual([1, 1]);
    cutOff(second);
    await useSeen(home);
    await useSeen(away);
    second.way.isCut = false;
    await useSeen(abroad);
    expect(await counts()).toEqual([4, 2]);
    cutOff(second);
    await useSeen(away);
    await useSeen(home);
    second.way.isCut = false;
    await pause(10 * simulatedMinute);
    expect(await counts()).toEqual([6, 3]);
  }));

/** A daemon with a history of its own, and the way by which it alone reaches the service. */
interface Twin {
  readonly way: Way;
  /** What it must count of the addresses of API keys. */
  readonly addressChanges: AddressChangeCount;
  readonly start: () => SimulatedDaemon;
  daemon: SimulatedDaemon;
}

function startTwin({ service, folder, startDaemon }: Stage, name: string): Twin {
  const way = service.addWay();
  const addressChanges = new AddressChangeCount();
  addressChanges.follow(way);
  const env = {
    DBPM_BASE_URL: way.base_url,
    DBPM_HISTORY_FILE: join(folder, `${name}.sqlite`),
    DBPM_COLLECT_SCHEDULE: '*/30 * * * * *',
    DBPM_COLLECT_API_KEYS_REFRESH: '1m',
  };
  const start = () => startDaemon({ env });
  return { way, addressChanges, start, daemon: start() };
}

/** Two twins that know everything, of a world that stands still. */
async function startSettledTwins(stage: Stage) {
  const twins = [startTwin(stage, 'first'), startTwin(stage, 'second')] as const;
  stage.service.freeze();
  for (const twin of twins) await untilTrue(stage, twin);
  return twins;
}

async function kill({ daemon, addressChanges }: Twin): Promise<void> {
  await daemon.kill();
  addressChanges.loseLast();
}

/** Lets a twin not reach the service until its way is open again. */
function cutOff({ way, addressChanges }: Twin): void {
  way.isCut = true;
  addressChanges.loseLast();
}

async function samplesOf({ daemon }: Twin): Promise<readonly Sample[]> {
  return readExposition((await daemon.readPage()) ?? '');
}

/** Until a twin shows all that ever happened; the world stands still. */
async function untilTrue({ service }: Stage, twin: Twin): Promise<void> {
  const findWrong = async () =>
    differences(await service.truth(), await samplesOf(twin), stateToleranceSeconds);
  for (let minutes = 0; minutes < 120 && (await findWrong()).length > 0; minutes += 1)
    await pause(simulatedMinute);
  expect(await findWrong()).toEqual([]);
}

const cpuOf = (twins: readonly Twin[], project_id: string) =>
  valuesOf(twins, 'dbpm_project_cpu_used_seconds_total', { project_id });

function valuesOf(twins: readonly Twin[], name: string, labels: Readonly<Record<string, string>>) {
  return Promise.all(twins.map(async twin => sampleValue(await samplesOf(twin), name, labels)));
}

/** Counters that differ between two pages, by name, with how far they are apart at most. */
function apart(one: readonly Sample[], other: readonly Sample[]): ReadonlyMap<string, number> {
  const counters = (samples: readonly Sample[]) =>
    new Map(
      samples
        .filter(({ name }) => lastingCounter.test(name))
        .map(sample => [sample.name + JSON.stringify(sample.labels), sample]),
    );
  const [left, right] = [counters(one), counters(other)];
  const found = new Map<string, number>();
  for (const series of new Set([...left.keys(), ...right.keys()])) {
    const { name = '' } = left.get(series) ?? right.get(series) ?? {};
    const distance = Math.abs((left.get(series)?.value ?? 0) - (right.get(series)?.value ?? 0));
    if (distance > 0) found.set(name, Math.max(distance, found.get(name) ?? 0));
  }
  return found;
}
