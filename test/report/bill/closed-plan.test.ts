import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import {
  instant,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';
import { PricedHistory } from './priced-history.ts';

const at = (text: string) => Date.parse(`2026-${text}:00Z`);

const plans = (match: string) => `
pricing:
  currency: USD
  plans:
    - name: shop
      match: {${match}}
      base_fee: 19
      prices: [{from: 2026-01-01, per_compute_hour: 0.5}]
    - name: idle
      match: {projects: [idle-*]}
      base_fee: 7
      prices: [{from: 2026-01-01, per_compute_hour: 0.5}]
    - name: rest
      prices: [{from: 2026-01-01, per_compute_hour: 0.1}]
`;
const byName = plans('projects: [shop-*]');
const byGroup = (projects: string) =>
  `${plans('groups: [team/web]')}groups: {team: {web: {projects: [${projects}]}}}\n`;

interface Listed {
  readonly name?: string;
  readonly hours: number;
}

/** A project that used 100 hours by the last of October and 24 more by 2 November, beside one that uses nothing. */
class NamedHistory extends PricedHistory {
  constructor(prices: string) {
    super(prices, at('11-03T09:00'));
    this.history.commitOne(projectsReading(at('09-30T00:00'), []));
    for (const [when, hours] of [
      ['10-01T00:00', 0],
      ['10-05T00:00', 100],
      ['10-31T00:00', 100],
      ['11-02T00:00', 124],
    ] as const) {
      this.list(when, { shop: { hours }, idle: { hours: 0 } });
    }
  }

  list(when: string, { shop, idle, late }: Readonly<Record<'shop' | 'idle', Listed>> & { late?: Listed }) {
    const wire = (id: string, { name = `${id}-1`, hours }: Listed, created_at = '2026-10-01T00:00:00Z') =>
      wireProject(`p-${id}`, { created_at, name, cpu_used_sec: hours * 3600 });
    this.history.commitOne(
      projectsReading(at(when), [
        wire('shop', shop),
        wire('idle', idle),
        ...(late === undefined ? [] : [wire('late', late, '2026-10-30T00:00:00Z')]),
      ]),
    );
  }

  /** The operations of a project are read: one run of its endpoint, of one compute unit. */
  readRuns(project_id: string, from: string, until: string): void {
    const size = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
    const [endpoint_id, created_at] = [`ep-${project_id}`, '2026-10-01T00:00:00Z'];
    const operation = (action: string, when: string) => {
      const times = { created_at: instant(at(when) - 2000), updated_at: instant(at(when)) };
      return wireOperation(`${action} ${project_id}`, { endpoint_id, action, ...times });
    };
    this.history.commitOne(
      projectReading(at('11-03T09:00'), project_id, {
        endpoints: [wireEndpoint(endpoint_id, { ...size, created_at })],
        operations: [operation('suspend_compute', until), operation('start_compute', from)],
      }),
    );
  }

  async close() {
    const { stdout } = await this.run('close --period billing:2026-10');
    expect(stdout).toContain('The billing period 2026-10 of account main is closed: 82.00 USD');
  }
}

// All of October is at 0.50, and 12 of the 24 hours are in it.
const october = ['(base fee) 26.00', 'p-shop 56.00', 'total 82.00'];

test('projects that get another name after a period was closed have the plans of then in it', async () => {
  using world = new NamedHistory(byName);
  await world.close();
  world.list('11-03T08:59', { shop: { name: 'lab-1', hours: 124 }, idle: { name: 'lab-2', hours: 0 } });
  expect(await world.costs('--period billing:2026-10')).toEqual(october);
  expect(await world.costs('--period billing:2026-10 --step day')).toEqual([
    '(base fee) 26.00',
    'p-shop 12.50',
    'p-shop 12.50',
    'p-shop 12.50',
    'p-shop 12.50',
    'p-shop 6.00',
    'total 82.00',
  ]);
  expect(await world.costs('--period billing')).toEqual(['p-shop 1.20', 'total 1.20']);
});

test('a project that is moved to another group after a period was closed is in that one in all forms of its reports', async () => {
  using world = new NamedHistory(
    `${byName}groups: {team: {web: {projects: ["shop-*"]}, lab: {projects: ["lab-*"]}}}\n`,
  );
  await world.close();
  world.list('11-03T08:59', { shop: { name: 'lab-1', hours: 124 }, idle: { hours: 0 } });
  const period = '--period billing:2026-10';
  const costs = async (form: string) => {
    const { rows } = JSON.parse((await world.run(`report cost ${period} ${form} --format json`)).stdout);
    const sums = new Map<string, number>();
    for (const { group, project_id, project_name, cost } of rows) {
      const key = group ?? `${project_id} ${project_name}`;
      sums.set(key, (sums.get(key) ?? 0) + Math.round(Number(cost) * 100));
    }
    return Object.fromEntries(sums);
  };
  for (const step of ['', ' --step day', ' --step month']) {
    expect(await costs(`--share${step}`), step).toEqual({ 'p-shop lab-1': 7500, 'p-idle idle-1': 700 });
    expect(await costs(`--by group --share${step}`), step).toEqual({ lab: 7500, ungrouped: 700 });
    expect(await costs(`--by group${step}`), step).toEqual({ lab: 5600, '(base fee)': 2600 });
  }
  const { stdout } = await world.run(`report showback ${period} --format csv`);
  expect(stdout.split('\n').map(row => row.split(',').slice(0, 3).join(' '))).toEqual([
    'group cost used_hours',
    'team/lab 75.00 112.00',
    'team/ungrouped 7.00 0.00',
    '',
  ]);
});

test('groups that change after a period was closed change neither its bill nor an open one', async () => {
  using world = new NamedHistory(byGroup('shop-1'));
  await world.close();
  const november = ['(base fee) 19.00', 'p-shop 1.20', 'total 20.20'];
  world.price(byGroup('idle-1'));
  expect(await world.costs('--period billing:2026-10')).toEqual(october);
  expect(await world.costs('--period billing')).toEqual(november);
  expect(await world.run('check-config')).toMatchObject({ exitCode: 0 });
});

test('use that is found later costs what it did by the plan of then, and of a project found later by its plan of now', async () => {
  using world = new NamedHistory(byName);
  await world.close();
  const listed = { shop: { name: 'lab-1', hours: 124 }, idle: { name: 'lab-2', hours: 0 } };
  world.list('11-03T00:00', { ...listed, late: { name: 'lab-3', hours: 48 } });
  const found = async () => {
    const lines = await world.costs('--period billing');
    return lines.filter(line => line.startsWith('(found later'));
  };
  // All 24 hours were on the last of October: 12 more than were billed, at 0.50.
  world.readRuns('p-shop', '10-31T00:00', '11-01T00:00');
  expect(await found()).toEqual(['(found later for 2026-10) 6.00']);
  // Of the new project 24 hours were in October, at 0.10.
  world.readRuns('p-late', '10-31T00:00', '11-02T00:00');
  expect(await found()).toEqual(['(found later for 2026-10) 8.40']);
});

test('the fingerprint of the price book of a closed period is another one where groups decide the plans otherwise', async () => {
  using world = new NamedHistory(byGroup('shop-1'));
  const fingerprints: unknown[] = [];
  for (const projects of ['shop-1', '"shop-*"']) {
    world.price(byGroup(projects));
    await world.close();
    using history = Object.assign(new Database(world.file, { readonly: true }), {
      [Symbol.dispose]: () => history.close(),
    });
    const sql = 'SELECT fingerprint FROM closed_period ORDER BY closed_period_ref DESC LIMIT 1';
    fingerprints.push(history.prepare(sql).pluck().get());
    await world.run('close --period billing:2026-10 --reopen');
  }
  expect(new Set(fingerprints).size).toBe(2);
});
