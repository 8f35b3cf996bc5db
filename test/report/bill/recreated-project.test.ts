import { expect, test } from 'vitest';
import { projectReading, projectsReading, wireEndpoint, wireProject } from '../../support/reading-builder.ts';
import { PricedHistory } from './priced-history.ts';

const at = (text: string) => Date.parse(`2026-${text}:00Z`);

const prices = `
pricing:
  currency: USD
  plans:
    - name: shop
      match: {projects: [shop]}
      base_fee: 19
      prices: [{from: 2026-01-01, per_compute_hour: 0.1}]
      counted:
        - {name: projects, of: projects, included: 0, price: 3}
        - {name: endpoints, of: endpoints, included: 0, price: 2}
        - {name: branches at once, of: branches, included: 0, price: 5, count: peak}
    - {name: rest, prices: [{from: 2026-01-01, per_compute_hour: 0.1}]}
`;

/** A project of all October that used 100 hours, and then may be replaced by another one with its id. */
class RecreatedHistory extends PricedHistory {
  constructor() {
    super(prices, at('11-05T00:00'));
    this.history.commitOne(projectsReading(at('09-30T00:00'), []));
    for (const [when, hours] of [
      ['10-01T00:00', 0],
      ['10-11T00:00', 100],
      ['11-01T00:00', 100],
    ] as const) {
      this.list(when, '10-01T00:00', hours);
      this.listEndpoint(when, '10-01T00:00', 'ep-old');
    }
  }

  /** @param created absent where the list leaves it out. */
  list(when: string, created: string | undefined, hours: number, name = 'shop'): void {
    const created_at = created && `2026-${created}:00Z`;
    const fields = { created_at, name, cpu_used_sec: hours * 3600 };
    this.history.commitOne(projectsReading(at(when), [wireProject('p-shop', fields)]));
  }

  listEndpoint(when: string, created: string, endpoint_id: string): void {
    const size = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
    const fields = { ...size, branch_id: `br-${endpoint_id}`, created_at: `2026-${created}:00Z` };
    this.history.commitOne(
      projectReading(at(when), 'p-shop', { endpoints: [wireEndpoint(endpoint_id, fields)], operations: [] }),
    );
  }
}

const october = [
  '(base fee) 19.00',
  '(branches at once) 5.00',
  '(endpoints) 2.00',
  '(projects) 3.00',
  'p-shop 10.00',
  'total 39.00',
];

// Of the 30 days of November the first project was there on one and the second on two.
const november = [
  '(base fee) 19.00',
  '(branches at once) 5.00',
  '(endpoints) 0.20',
  '(projects) 0.30',
  'p-shop 1.20',
  'total 25.70',
];

test('a project that is deleted and created again with its id leaves past bills as they were', async () => {
  using world = new RecreatedHistory();
  world.list('11-02T00:00', '10-01T00:00', 100);
  expect(await world.costs('--period billing:2026-10')).toEqual(october);
  world.history.commitOne(projectsReading(at('11-02T00:00'), []));
  // The new one has used less than the old one.
  world.list('11-04T00:00', '11-03T00:00', 12);
  world.listEndpoint('11-04T00:00', '11-03T00:00', 'ep-new');
  world.list('11-05T00:00', '11-03T00:00', 12);
  expect(await world.costs('--period billing:2026-10')).toEqual(october);
  expect(await world.costs('--period billing')).toEqual(november);
});

test('what the first project used after it was last read is not known, and nothing of the second', async () => {
  using world = new RecreatedHistory();
  world.history.commitOne(projectsReading(at('11-02T00:00'), []));
  world.list('11-04T00:00', '11-03T00:00', 12);
  world.list('11-05T00:00', '11-03T00:00', 12);
  const { stderr } = await world.run('report cost --period billing');
  expect(stderr.split('\n').filter(line => line.startsWith('partial:'))).toEqual([
    'partial: Project shop (p-shop) of account main was deleted after it was last read: what it used between 2026-11-01 00:00 and 2026-11-02 00:00 is not known, at most 24.00 compute hours, 2.40 USD.',
  ]);
});

test('a project that is replaced between two lists counts from zero at its creation, also where it used more', async () => {
  using world = new RecreatedHistory();
  // The first was last seen on the 1st, and is taken to have been there until the second came.
  world.list('11-04T00:00', '11-03T00:00', 112);
  world.listEndpoint('11-04T00:00', '11-03T00:00', 'ep-new');
  world.list('11-05T00:00', '11-03T00:00', 112);
  expect(await world.costs('--period billing:2026-10')).toEqual(october);
  const costs = await world.costs('--period billing');
  expect(costs).toContain('(projects) 0.40');
  expect(costs).toContain('(branches at once) 5.00');
  expect(costs).toContain('p-shop 11.20');
});

test('a project that was found to be gone later than another was created in its place ended when that was', async () => {
  using world = new RecreatedHistory();
  world.history.commitOne(projectsReading(at('11-03T00:01'), []));
  world.list('11-04T00:00', '11-03T00:00', 12);
  world.listEndpoint('11-04T00:00', '11-03T00:00', 'ep-new');
  world.list('11-05T00:00', '11-03T00:00', 12);
  const costs = await world.costs('--period billing');
  expect(costs).toContain('(branches at once) 5.00');
  expect(costs).toContain('(projects) 0.40');
});

test('a project that only returns goes on where it was', async () => {
  using world = new RecreatedHistory();
  world.history.commitOne(projectsReading(at('11-02T00:00'), []));
  world.list('11-04T00:00', '10-01T00:00', 112);
  world.list('11-05T00:00', '10-01T00:00', 112);
  expect(await world.costs('--period billing:2026-10')).toEqual(october);
  expect(await world.costs('--period billing')).toContain('p-shop 1.20');
});

test.each([
  // Of the 30 days of November it was there on two and one, or on three and one.
  ['found to be gone meanwhile', true, '(endpoints) 0.20'],
  ['replaced between two readings', false, '(endpoints) 0.27'],
])(
  'an endpoint that is created again under its id, %s, leaves past bills as they were',
  async (_, isFound, now) => {
    using world = new RecreatedHistory();
    if (isFound)
      world.history.commitOne(projectReading(at('11-03T00:00'), 'p-shop', { endpoints: [], operations: [] }));
    world.listEndpoint('11-05T00:00', '11-04T00:00', 'ep-old');
    world.list('11-05T00:00', '10-01T00:00', 100);
    while (world.history.upkeep(at('11-05T00:00')));
    expect(await world.costs('--period billing:2026-10')).toEqual(october);
    const costs = await world.costs('--period billing');
    expect(costs).toContain(now);
    expect(costs).toContain('(branches at once) 5.00');
  },
);

test('a project that is created again may have an endpoint with the id of one that it had', async () => {
  using world = new RecreatedHistory();
  world.history.commitOne(projectsReading(at('11-02T00:00'), []));
  world.list('11-04T00:00', '11-03T00:00', 12);
  world.listEndpoint('11-04T00:00', '11-03T00:00', 'ep-old');
  world.list('11-05T00:00', '11-03T00:00', 12);
  expect(await world.costs('--period billing:2026-10')).toEqual(october);
  expect(await world.costs('--period billing')).toEqual(november);
});

test('what the first project used before it was ever read stays left out, whatever is known of the second', async () => {
  using world = new RecreatedHistory();
  const list = (when: string, created_at: string, hours: number) => {
    const fields = { created_at, name: 'new', cpu_used_sec: hours * 3600 };
    world.history.commitOne(projectsReading(at(when), [wireProject('p-new', fields)]));
  };
  const cost = () => world.costs('--period 2026-11 --project main/p-new');
  list('11-02T00:00', '2026-08-01T00:00:00Z', 500);
  list('11-02T12:00', '2026-08-01T00:00:00Z', 506);
  expect(await cost()).toEqual(['p-new 0.60', 'total 0.60']);
  list('11-04T00:00', '2026-11-03T00:00:00Z', 12);
  expect(await cost()).toEqual(['p-new 1.80', 'total 1.80']);
  const fields = { branch_id: 'br-new', created_at: '2026-11-03T00:00:00Z' };
  const endpoints = [wireEndpoint('ep-of-new', fields)];
  world.history.commitOne(projectReading(at('11-04T00:01'), 'p-new', { endpoints, operations: [] }));
  expect(await cost()).toEqual(['p-new 1.80', 'total 1.80']);
});

test('a list that leaves out when a project was created leaves past bills as they were', async () => {
  using world = new RecreatedHistory();
  world.list('11-02T00:00', undefined, 100);
  world.history.commitOne(projectsReading(at('11-02T06:00'), []));
  world.list('11-04T00:00', undefined, 12);
  world.list('11-04T12:00', '11-03T00:00', 12);
  world.listEndpoint('11-04T12:00', '11-03T00:00', 'ep-new');
  world.list('11-05T00:00', '11-03T00:00', 12);
  expect(await world.costs('--period billing:2026-10')).toEqual(october);
});

test('a project that is created again with another name leaves the plan of the former one to its bills', async () => {
  using world = new RecreatedHistory();
  world.history.commitOne(projectsReading(at('11-02T00:00'), []));
  world.list('11-04T00:00', '11-03T00:00', 12, 'lab');
  world.list('11-05T00:00', '11-03T00:00', 12, 'lab');
  expect(await world.costs('--period billing:2026-10')).toEqual(october);
  // The other plan has no fees.
  expect(await world.costs('--period billing')).toEqual([
    '(base fee) 19.00',
    '(branches at once) 5.00',
    '(endpoints) 0.07',
    '(projects) 0.10',
    'p-shop 1.20',
    'total 25.37',
  ]);
});
