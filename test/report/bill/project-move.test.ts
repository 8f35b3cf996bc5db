import { expect, test } from 'vitest';
import { exportText, readTimedSamples } from '../../support/backfill-export.ts';
import { viewAll } from '../../support/history-folder.ts';
import {
  instant,
  projectReading,
  projectsReading,
  usageReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';
import { PricedHistory } from './priced-history.ts';

const at = (text: string) => Date.parse(`2026-${text}:00Z`);

const prices = `
accounts:
  - {name: a, base_url: "https://api.example.com/api/v2/", api_key_env: DBPM_API_KEY}
  - {name: b, base_url: "https://api.example.com/api/v2/", api_key_env: DBPM_API_KEY}
pricing:
  currency: USD
  plans:
    - name: shop
      prices: [{from: 2026-01-01, per_compute_hour: 1}]
      counted:
        - {name: projects, of: projects, included: 0, price: 30}
        - {name: endpoints, of: endpoints, included: 0, price: 3}
`;

/** The project p1 of account a that used 96 hours in October and 96 in November until it moves to account b. */
class MovedHistory extends PricedHistory {
  #history = this.folder.reopen(this.history, { accounts: ['a', 'b'] });

  constructor() {
    super(prices, at('11-21T00:00'));
    this.list('a', '09-30T00:00');
    this.list('b', '09-30T00:00');
    for (const [when, hours] of [
      ['10-01T00:00', 0],
      ['10-05T00:00', 96],
      ['11-01T00:00', 96],
      ['11-05T00:00', 192],
      ['11-10T00:00', 192],
    ] as const) {
      this.list('a', when, hours);
      this.list('b', when);
    }
    this.poll('a', '11-10T00:00', '10-01T00:00', '11-01T00:00');
  }

  /** @param hours of p1, where the account has it. */
  list(account: string, when: string, hours?: number, created = '2026-10-01T00:00:00Z'): void {
    const project = wireProject('p1', { created_at: created, cpu_used_sec: (hours ?? 0) * 3600 });
    this.#history.commitOne(projectsReading(at(when), hours === undefined ? [] : [project], { account }));
  }

  /** Reads the endpoint of p1, and that it started at some instants. */
  poll(account: string, when: string, ...starts: readonly string[]): void {
    const size = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
    const endpoints = [wireEndpoint('ep-1', { ...size, created_at: '2026-10-01T00:00:00Z' })];
    const operations = starts.toReversed().map(start => {
      const endedAt = instant(at(start) + 96 * 3_600_000);
      return [
        wireOperation(`suspend-${start}`, {
          action: 'suspend_compute',
          created_at: endedAt,
          updated_at: endedAt,
        }),
        wireOperation(`start-${start}`, { created_at: instant(at(start)), updated_at: instant(at(start)) }),
      ];
    });
    this.#history.commitOne(
      projectReading(at(when), 'p1', { endpoints, operations: operations.flat() }, { account }),
    );
  }

  use(account: string, when: string, hours: number): void {
    const used = { compute_time_seconds: hours * 3600 };
    this.#history.commitOne(usageReading(at(when), 'p1', used, { account }));
  }

  restart(accounts = ['a', 'b']): void {
    this.#history = this.folder.reopen(this.#history, { accounts });
  }

  /** The hours that each account and its projects are shown to have used, and how often endpoints started. */
  shown() {
    return viewAll(this.#history, at('11-21T00:00')).map(({ account, cpuUsedSeconds = 0, projects }) => ({
      [account]: cpuUsedSeconds / 3600,
      ...Object.fromEntries(
        projects.map(({ project_id, cpuUsedSeconds = 0 }) => [project_id, cpuUsedSeconds / 3600]),
      ),
      starts: projects.flatMap(({ endpoints }) => endpoints.map(({ starts }) => starts)),
    }));
  }

  async bills(): Promise<readonly (readonly string[])[]> {
    return [await this.costs('--period billing:2026-10'), await this.costs('--period billing:2026-11')];
  }
}

const october = ['(endpoints) 3.00', '(projects) 30.00', 'p1 96.00', 'total 129.00'];

test('a project that moves to another account goes on there, and what it cost before stays in the one it left', async () => {
  using world = new MovedHistory();
  world.list('a', '11-10T00:00');
  world.list('b', '11-10T00:00', 192);
  world.poll('b', '11-10T02:00', '10-01T00:00', '11-01T00:00');
  world.restart();
  world.list('b', '11-11T00:00', 216);
  world.list('a', '11-21T00:00');
  world.list('b', '11-21T00:00', 216);
  expect(await world.bills()).toEqual([
    october,
    // Nine days of November in one account, and eleven in the other.
    [
      '(endpoints) 0.90',
      '(endpoints) 1.10',
      '(projects) 11.00',
      '(projects) 9.00',
      'p1 24.00',
      'p1 96.00',
      'total 142.00',
    ],
  ]);
  expect(world.shown()).toEqual([
    { a: 192, starts: [] },
    { b: 24, p1: 24, starts: [0] },
  ]);
});

test('a project is in the other account from when that lists it, though the first still lists it for a while', async () => {
  using world = new MovedHistory();
  world.list('b', '11-10T00:00', 192);
  world.list('a', '11-10T00:01', 192);
  world.list('a', '11-10T00:02');
  world.list('b', '11-21T00:00', 216);
  world.list('a', '11-21T00:00');
  expect((await world.bills())[0]).toEqual(october);
  expect(world.shown()).toEqual([
    { a: 192, starts: [] },
    { b: 24, p1: 24, starts: [] },
  ]);
});

test('what a project used between the last list of one account and the first of the other counts in the other', async () => {
  using world = new MovedHistory();
  world.list('a', '11-12T00:00');
  world.list('b', '11-12T00:00', 200);
  world.list('a', '11-21T00:00');
  world.list('b', '11-21T00:00', 216);
  expect((await world.bills())[0]).toEqual(october);
  expect(world.shown()).toEqual([
    { a: 192, starts: [] },
    { b: 24, p1: 24, starts: [] },
  ]);
});

test('a project that moves and comes back counts in each account what it used there', async () => {
  using world = new MovedHistory();
  world.list('a', '11-10T00:00');
  world.list('b', '11-10T00:00', 192);
  world.list('b', '11-13T00:00', 216);
  world.list('b', '11-13T00:00');
  world.restart();
  world.list('a', '11-13T00:00', 216);
  world.list('a', '11-16T00:00', 226);
  world.list('a', '11-21T00:00', 226);
  world.list('b', '11-21T00:00');
  expect(world.shown()).toEqual([
    { a: 202, p1: 202, starts: [2] },
    { b: 24, starts: [] },
  ]);
  const [before, after] = await world.bills();
  expect(before).toEqual(october);
  // Nine days and eight in one account, three in the other.
  expect(after).toContain('(projects) 17.00');
  expect(after).toContain('(projects) 3.00');
});

test('a project whose use is read for itself goes on in the other account as it was read last', () => {
  using world = new MovedHistory();
  world.use('a', '11-10T00:00', 50);
  world.list('a', '11-10T00:10');
  world.list('b', '11-10T00:10', 192);
  world.use('b', '11-10T00:10', 50);
  world.use('b', '11-11T00:00', 60);
  expect(world.shown()).toMatchObject([{ a: 192 }, { b: 10, p1: 10 }]);
});

test('a project that two accounts list from the first on did not move: it counts in both', () => {
  using world = new MovedHistory();
  world.restart(['a', 'b', 'c']);
  world.list('c', '11-10T00:01', 192);
  world.list('a', '11-10T00:02', 192);
  expect(world.shown()).toMatchObject([{ a: 192, p1: 192 }, { b: 0 }, { c: 192, p1: 192 }]);
});

test('a project that two accounts list as soon as it is created counts in both from its creation', () => {
  using world = new MovedHistory();
  world.list('a', '11-10T00:01');
  world.list('b', '11-10T00:01');
  world.list('a', '11-10T02:00', 1, '2026-11-10T00:30:00Z');
  world.list('b', '11-10T02:01', 1, '2026-11-10T00:30:00Z');
  expect(world.shown()).toMatchObject([{ a: 193 }, { b: 1, p1: 1 }]);
});

test('the series of a project that moved begin in its new account at the move', () => {
  using world = new MovedHistory();
  world.list('a', '11-10T00:00');
  world.list('b', '11-10T00:00', 192);
  world.list('b', '11-11T00:00', 216);
  world.poll('b', '11-11T00:00');
  const range = { fromAt: at('11-08T00:00'), untilAt: at('11-11T00:00'), stepMs: 86_400_000 };
  const metrics = ['dbpm_project_cpu_used_seconds_total', 'dbpm_endpoint_info'];
  const samples = readTimedSamples(exportText(world.file, { ...range, metrics }));
  expect(
    samples
      .filter(({ labels }) => labels.includes('account="b"'))
      .map(({ name, value, at: sampleAt }) => `${name} ${value} ${instant(sampleAt)}`),
  ).toEqual([
    'dbpm_project_cpu_used_seconds_total 0 2026-11-10T00:00:00.000Z',
    'dbpm_project_cpu_used_seconds_total 86400 2026-11-11T00:00:00.000Z',
    'dbpm_endpoint_info 1 2026-11-10T00:00:00.000Z',
    'dbpm_endpoint_info 1 2026-11-11T00:00:00.000Z',
  ]);
});
