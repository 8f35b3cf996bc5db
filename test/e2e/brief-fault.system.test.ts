import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Account } from '../../src/config/config.ts';
import { type Daemon, eventually, openDaemon, openFolder } from '../daemon/open-daemon.ts';
import { findSpellings } from '../support/canary.ts';
import type { Sample } from '../support/exposition-reader.ts';
import { differences } from '../support/truth.ts';
import { samplesOf, signsOf } from './fault/account-sign.ts';
import { answerFaults } from './fault/answer-fault.ts';
import { type FaultStage, shownBy } from './fault/api-fault.ts';
import { connectionFaults } from './fault/connection-fault.ts';
import { firstLine } from './fault/fault-line.ts';
import { openStage } from './fault/fault-world.ts';
import { inboundFaults } from './fault/inbound-fault.ts';
import { listFaults } from './fault/list-fault.ts';
import { statusFaults } from './fault/status-fault.ts';
import { valueFaults } from './fault/value-fault.ts';
import { worldKey } from './simulated-world.ts';

/** Rows of each table that take no time but that of a reading; `npm run endurance` runs all, with their alerts. */
const apiFaults = pick(
  [...connectionFaults, ...statusFaults, ...answerFaults, ...listFaults, ...valueFaults],
  [
    'the connection is refused',
    'damaged gzip',
    'the service says the key back, in base64',
    'the list names what it left out in a way that cannot be read',
    'the Date of all answers is a year ahead',
    'every project has used 9e12 compute seconds',
  ],
);
const clientFaults = pick(inboundFaults, [
  'a header of 20 kB',
  'the method POST',
  'the path //metrics',
  'two hundred requests in one packet',
  'a length and chunks at the same time',
  'what is no HTTP',
]);
function pick<Row extends { readonly fault: string }>(rows: readonly Row[], names: readonly string[]): Row[] {
  return names.map(name => {
    const row = rows.find(({ fault }) => fault === name);
    if (row === undefined) throw new Error(`no row is called ${name}`);
    return row;
  });
}

const ends: (() => Promise<void> | void)[] = [];
const onEnd = (end: () => Promise<void> | void) => void ends.push(end);
let daemon: Daemon;
let stages: readonly FaultStage[];

beforeAll(async () => {
  const folder = openFolder(onEnd);
  stages = await Promise.all(
    apiFaults.map((_, index) => openStage(`fault-${index}`, { folder, seed: index + 1 })),
  );
  for (const { gateway, world } of stages) {
    onEnd(() => world.close());
    onEnd(() => gateway.close());
  }
  daemon = await openDaemon(onEnd, stages.map(watch), { folder, secrets: [worldKey] });
});

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

function watch({ account, gateway }: FaultStage): Account {
  return {
    name: account,
    base_url: new URL(gateway.base_url),
    readApiKey: () => worldKey,
    requestsPerMinute: 60_000,
    projects: { include: ['*'], exclude: [] },
  };
}

/** Waits until an account is as its service has it; its world must stand still. */
async function untilRight({ account, world }: FaultStage): Promise<void> {
  const truth = await world.truth();
  await daemon.until(samples => {
    const wrong = [
      ...differences(truth, samplesOf(account, samples), 5),
      ...signsOf(account, samples, samples),
    ];
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  });
}

function listPolls(account: string, samples: readonly Sample[]): number {
  return samplesOf(account, samples)
    .filter(({ name, labels }) => name === 'dbpm_exporter_api_requests_total' && labels.route === '/projects')
    .reduce((sum, { value }) => sum + value, 0);
}

describe.concurrent('what clients do', () => {
  it.for(clientFaults)('$fault', async ({ inflict, outcome }, { expect }) => {
    const scrape = async () => expect((await fetch(`${daemon.url}/metrics`)).status).toBe(200);
    expect(await inflict(daemon.url, scrape)).toBe(outcome);
  });
});

describe.concurrent('while it lasts, and right again after it', () => {
  it.for(apiFaults.map((row, index) => ({ row, index })))(
    '$row.fault',
    async ({ row, index }, { expect }) => {
      const stage = stages[index];
      if (stage === undefined) throw new Error('every row has a stage');
      const { account, world, gateway } = stage;
      world.freeze();
      await untilRight(stage);
      const before = await daemon.scrape();
      const logged = daemon.lines.length;
      await row.inflict(stage);
      await daemon.until(samples => {
        expect(listPolls(account, samples)).toBeGreaterThan(listPolls(account, before) + 2);
        expect(signsOf(account, before, samples)).toEqual(shownBy(row));
      });
      await eventually(async () =>
        expect(firstLine(daemon.lines.slice(logged).join(''), account, row)).toBe(row.log),
      );
      if (row.heal === undefined) gateway.misbehave();
      else await row.heal(stage);
      await untilRight(stage);
      expect(findSpellings(worldKey, daemon.lines.join('') + (await daemon.read('/metrics')))).toEqual([]);
    },
  );
});
