import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { readSamples, type Sample } from '../support/exposition-reader.ts';
import { findFreePort } from '../support/free-port.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type PeerProcess, startPeerProcess } from '../support/peer-process.ts';
import { startVictoriaMetrics, type VictoriaMetrics } from '../support/victoria-metrics.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

const patience = { timeout: 40_000, interval: 500 };
const examples = new URL('../../deploy/agent/', import.meta.url).pathname;

/** The instance that both examples scrape, and the receiver that both know. */
const exampleInstance = '127.0.0.1:10062';
const exampleReceiver = 'http://127.0.0.1:8428/api/v1/write';

describeWithPeers(
  ['victoria-metrics', 'vmagent', 'prometheus'],
  'an agent that scrapes the daemon and ships to a receiver',
  peers => {
    const folder = mkdtempSync(join(tmpdir(), 'dbpm-agent-'));
    let world: SimulatedWorld;
    let daemonUrl: string;
    let victoria: VictoriaMetrics;
    const agents: PeerProcess[] = [];

    /** An example as it is, but for the places of this test and how often it scrapes. */
    function place(example: string, replica: string): string {
      const text = readFileSync(join(examples, example), 'utf8');
      expect(text).toContain(exampleInstance);
      expect(text).toContain(exampleReceiver);
      const config = parse(
        text
          .replaceAll(exampleInstance, new URL(daemonUrl).host)
          .replaceAll(exampleReceiver, victoria.writeUrl),
      );
      const external_labels = { replica };
      Object.assign(config.global, { scrape_interval: '1s', scrape_timeout: '1s', external_labels });
      const file = join(folder, example);
      writeFileSync(file, stringify(config));
      return file;
    }

    beforeAll(async () => {
      world = await startWorld({ projects: 5, historyDays: 1 });
      const daemon = world.startDaemon();
      daemonUrl = await daemon.untilServing();
      victoria = await startVictoriaMetrics(peers['victoria-metrics']);
      const [agentAddress, vmagentAddress] = [
        `127.0.0.1:${await findFreePort()}`,
        `127.0.0.1:${await findFreePort()}`,
      ];
      agents.push(
        await startPeerProcess(
          'Prometheus agent',
          peers.prometheus,
          [
            '--enable-feature=agent',
            `--config.file=${place('prometheus.yml', 'agent')}`,
            `--storage.agent.path=${join(folder, 'agent')}`,
            `--web.listen-address=${agentAddress}`,
          ],
          agentAddress,
        ),
        await startPeerProcess(
          'vmagent',
          peers.vmagent,
          [
            `-promscrape.config=${place('vmagent.yml', 'vmagent')}`,
            `-remoteWrite.url=${victoria.writeUrl}`,
            `-remoteWrite.tmpDataPath=${join(folder, 'vmagent')}`,
            `-httpListenAddr=${vmagentAddress}`,
          ],
          vmagentAddress,
        ),
      );
    });

    afterAll(async () => {
      await Promise.all(agents.map(agent => agent.stop()));
      await victoria?.close();
      await world?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const readPage = () => readSamples(daemonUrl);
    /** A label without a value is one that is not there. */
    const keyOf = ({ name, labels }: Sample) => {
      const given = Object.entries(labels).filter(([, value]) => value !== '');
      return JSON.stringify([name, given.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
    };

    /**
     * What an agent shipped, without the labels that it added: the value that each series had at its last scrape in a span, or
     * null for a series without one.
     *
     * @param span epoch milliseconds.
     */
    async function readShipped(replica: string, span: readonly [number, number]) {
      await victoria.flush();
      const series = await victoria.exportRaw(`{replica="${replica}"}`);
      return new Map(
        series.map(({ metric, values, timestamps }) => {
          const { __name__: name = '', job, instance, replica: _, ...labels } = metric;
          expect([job, instance]).toEqual(['dbpm', new URL(daemonUrl).host]);
          const last = timestamps.findLastIndex(at => at >= span[0] && at <= span[1]);
          return [keyOf({ name, labels, value: 0 }), values[last] ?? null];
        }),
      );
    }

    /**
     * What every reading of the page between two moments says of projects. An agent ships seconds later, by when other values may
     * be there, so its samples are to be compared by their time.
     */
    async function readSteady() {
      const before = new Map((await readPage()).map(sample => [keyOf(sample), sample.value]));
      // An agent may date a scrape by up to a tenth of its interval too early.
      const from = Date.now() + 100;
      await setTimeout(6000);
      // A scrape that began before its time-out has read the page by now.
      const until = Date.now() - 1000;
      const page = await readPage();
      const steady = page.filter(sample => before.get(keyOf(sample)) === sample.value);
      return { page, steady: steady.filter(({ labels }) => labels.project_id !== undefined), from, until };
    }

    test.each(['agent', 'vmagent'])('%s brings every series of the page with its value', async replica => {
      await vi.waitFor(async () => {
        expect((await readShipped(replica, [0, Infinity])).size).toBeGreaterThan(0);
      }, patience);
      const { page, steady, from, until } = await readSteady();
      expect(steady.length).toBeGreaterThan(100);
      await vi.waitFor(async () => {
        const shipped = await readShipped(replica, [from, until]);
        expect(page.filter(sample => !shipped.has(keyOf(sample))).map(({ name }) => name)).toEqual([]);
        const differing = steady.filter(sample => shipped.get(keyOf(sample)) !== sample.value);
        expect(differing.map(({ name }) => name)).toEqual([]);
      }, patience);
    });
  },
);
