import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findSpellings } from '../../support/canary.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { type Prometheus, startPrometheus } from '../../support/prometheus.ts';
import { differences } from '../../support/truth.ts';
import { liveProjects } from '../../world/driver.ts';
import { worldKey } from '../simulated-world.ts';
import { samplesOf, signsOf } from './account-sign.ts';
import { type ApiFault, type FaultStage, raisedBy, shownBy } from './api-fault.ts';
import { firstLine } from './fault-line.ts';
import { watchedAlerts, writeRules } from './fault-rule.ts';
import { FaultWatch } from './fault-watch.ts';
import { type FaultWorld, openFaultWorld } from './fault-world.ts';

const patience = { timeout: 280_000, interval: 1000 };
/** Longer than data may be old before an alert says so. */
const holdMs = 25_000;
/** The list is read by one request or two, and the readings before a page is published and scraped come on top. */
const mostListRequests = 6;
/** As the schedule of the world says. */
const cycleMs = 2000;

/** The world stands still when it is compared, and our clock does not. */
const stateToleranceSeconds = 5;

interface Peers {
  readonly prometheus: string;
  readonly openssl: string;
}

interface SuiteOptions {
  /** What the daemon may take of the memory at any moment. */
  readonly mostMegabytes: number;
  /** How many are tried at the same time; all unless told. */
  readonly atOnce?: number;
}

/** Every fault on an account of its own, beside an account that nothing is done to. */
export function describeApiFaults(
  title: string,
  faults: readonly ApiFault[],
  { mostMegabytes, atOnce = faults.length }: SuiteOptions,
): void {
  describeWithPeers(['prometheus', 'openssl'], title, (peers: Peers) => {
    const rows = faults.map((row, index) => ({ ...row, row, index }));
    const watch = new FaultWatch();
    let world: FaultWorld;
    let prometheus: Prometheus;
    vi.setConfig({ testTimeout: 900_000, maxConcurrency: atOnce });

    beforeAll(async () => {
      world = await openFaultWorld(faults, peers.openssl);
      const ruleFile = await writeRules(world.configFile, world.folder);
      prometheus = await startPrometheus(
        peers.prometheus,
        { dbpm: `${world.url}/metrics` },
        {
          ruleFile,
          scrapeSeconds: 2,
        },
      );
      for (const stage of [world.healthy, ...world.stages]) {
        await vi.waitFor(async () => {
          await watch.counters.scrape(world.url);
          expect(signsOf(stage.account, watch.latest, watch.latest)).toEqual([]);
          expect([...idsIn(stage.account, watch.latest)]).toEqual(
            expect.arrayContaining([...(await idsOf(stage))]),
          );
        }, patience);
      }
      watch.start(world.url, prometheus, 'healthy');
    });

    afterAll(async () => {
      await watch.stop();
      await prometheus?.close();
      await world?.close();
    });

    /** Everything about an account that is not as it should be; its world must stand still. */
    async function wrongWith({ account, world: { truth } }: FaultStage): Promise<readonly string[]> {
      const samples = samplesOf(account, watch.latest);
      return [
        ...differences(await truth(), samples, stateToleranceSeconds),
        ...signsOf(account, samples, samples),
      ];
    }

    function firing(account: string): readonly string[] {
      const names = watch.firing(account);
      return watchedAlerts.filter(name => names.has(name)).toSorted();
    }

    describe.concurrent('each', () => {
      test.each(rows)('$fault', async ({ row, index }) => {
        const stage = world.stages[index];
        if (stage === undefined) throw new Error('every row has a stage');
        const { account } = stage;
        // What is under way is of a poll that began on a good day, and fails in another place.
        await stage.gateway.untilIdle();
        const before = watch.latest;
        const logged = world.daemon.stderr().length;
        const said = () => firstLine(world.daemon.stderr().slice(logged), account, row);
        await row.inflict(stage);
        const inflictedAt = Date.now();
        await stir(stage);
        await vi.waitFor(
          () => expect(signsOf(account, before, watch.latest)).toEqual(shownBy(row)),
          patience,
        );
        await vi.waitFor(() => expect(firing(account)).toEqual(raisedBy(row)), patience);
        await pause(Math.max(0, inflictedAt + holdMs - Date.now()));
        await vi.waitFor(() => expect(firing(account)).toEqual(raisedBy(row)), patience);
        expect(signsOf(account, before, watch.latest)).toEqual(shownBy(row));
        expect(said()).toBe(row.log);
        expect([...idsIn(account, watch.latest)]).toEqual(
          expect.arrayContaining([...idsIn(account, before)]),
        );

        stage.world.freeze();
        if (row.heal === undefined) stage.gateway.misbehave();
        else await row.heal(stage);
        const healedAt = Date.now();
        const answered = watch.listRequests(account);
        // The schedule goes on while signs and alerts are waited for, and they take as long as the machine does.
        const expectFewRequests = () => {
          const cycles = (Date.now() - healedAt) / cycleMs;
          expect(watch.listRequests(account) - answered).toBeLessThanOrEqual(mostListRequests + 2 * cycles);
        };
        const listSigns = () =>
          signsOf(account, watch.latest, watch.latest).filter(sign =>
            /^dbpm_(up|auth_ok)|"projects"/.test(sign),
          );
        await vi.waitFor(() => expect(listSigns()).toEqual([]), patience);
        expectFewRequests();
        await vi.waitFor(async () => expect(await wrongWith(stage)).toEqual([]), patience);
        expectFewRequests();
        await vi.waitFor(() => expect(firing(account)).toEqual([]), patience);
      });
    });

    describe('and beside them', () => {
      test('the healthy account is up to date, and no counter ever fell', async () => {
        const { healthy } = world;
        await stir(healthy);
        healthy.world.freeze();
        await vi.waitFor(async () => expect(await wrongWith(healthy)).toEqual([]), patience);
        expect(watch.wrong).toEqual([]);
      });

      test(`memory stays below ${mostMegabytes} MB`, () => {
        const status = readFileSync(`/proc/${world.daemon.pid}/status`, 'utf8');
        const kilobytes = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
        expect(kilobytes / 1024).toBeLessThan(mostMegabytes);
      });

      test('the key is nowhere but in its file', () => {
        expect(findSpellings(worldKey, world.daemon.stderr() + world.daemon.stdout())).toEqual([]);
        const files = globSync('**', { cwd: world.folder, withFileTypes: true }).filter(file =>
          file.isFile(),
        );
        const found = files
          .filter(({ name }) => !name.endsWith('.key'))
          .filter(
            ({ parentPath, name }) =>
              findSpellings(worldKey, readFileSync(join(parentPath, name))).length > 0,
          );
        expect(found.map(({ name }) => name)).toEqual([]);
        for (const name of ['cmdline', 'environ']) {
          expect(findSpellings(worldKey, readFileSync(`/proc/${world.daemon.pid}/${name}`))).toEqual([]);
        }
      });
    });
  });
}

/** Has a service do what must not be lost, however long it cannot be seen. */
async function stir({ world }: FaultStage): Promise<void> {
  for (const { project_id, endpoints } of await liveProjects(world)) {
    await world.call('POST', '/operations', { project_id, action: 'apply_config', status: 'finished' });
    const endpoint_id = endpoints.find(({ deleted }) => !deleted)?.endpoint_id;
    await world.call('POST', `/endpoints/${endpoint_id}/connect`, { seconds: 3 });
  }
}

function idsIn(account: string, samples: FaultWatch['latest']): ReadonlySet<string> {
  return new Set(
    samplesOf(account, samples)
      .filter(({ name }) => /^dbpm_(project|endpoint|api_key)_info$/.test(name))
      .map(({ labels: { project_id, endpoint_id, key_id } }) => `${project_id} ${endpoint_id} ${key_id}`),
  );
}

/** Every endpoint of a service, as `idsIn` writes it. */
async function idsOf({ world }: FaultStage): Promise<readonly string[]> {
  return (await liveProjects(world)).flatMap(({ project_id, endpoints }) =>
    endpoints
      .filter(({ deleted }) => !deleted)
      .map(({ endpoint_id }) => `${project_id} ${endpoint_id} undefined`),
  );
}
