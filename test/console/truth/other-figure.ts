import { expect } from 'vitest';
import { readStretch } from './cost-figure.ts';
import { cents, expectNear, hoursOf } from './near.ts';
import { groupOf, type Stage } from './stage.ts';
import { trueBills } from './true-bill.ts';
import { dayMs } from './true-fleet.ts';

/** That the overview has the figures of reports, the simulator and the oracle. */
export async function checkOverview(python3: string, stage: Stage): Promise<void> {
  const { fleet } = stage;
  const { spending, saving, running, troubles } = await stage.json('/overview');
  const report = await stage.report('cost --by account --period billing');
  expect([spending.cost, spending.compute_hours]).toEqual([report.totals?.cost, report.totals?.used_hours]);
  const stretch = readStretch(report.period);
  const [bill] = trueBills(python3, stage, [stretch]);
  if (bill === undefined) throw new Error('the oracle made no bill');
  expectNear(
    spending.cost,
    bill.costOf(() => true),
    1,
    'cost of the overview',
  );
  expectNear(spending.compute_hours, hoursOf(fleet.usedIn(stretch, () => true)), 1, 'hours of the overview');
  for (const { account, cost } of spending.accounts)
    expectNear(
      cost,
      bill.costOf((_, of) => of === account),
      2,
      `cost of ${account}`,
    );
  const found = await stage.report('findings');
  const figures = ['cost_per_month', 'compute_hours_per_month'].flatMap(key => [key, `most_${key}`]);
  expect([saving.findings, ...figures.map(key => saving[key])]).toEqual([
    found.rows.length,
    ...figures.map(key => found.totals?.[key] ?? null),
  ]);
  const states: readonly { account: string; state: string; endpoints: number }[] = running.states;
  expect(new Map(states.map(({ account, state, endpoints }) => [`${account} ${state}`, endpoints]))).toEqual(
    fleet.states,
  );
  const count = (kind: string) => troubles.find((each: { kind: string }) => each.kind === kind)?.count ?? 0;
  const isThere = (id: string) => fleet.projects.find(each => each.id === id)?.deleted_at === undefined;
  const there = fleet.operations.filter(({ project }) => isThere(project));
  const failed = there.filter(
    ({ status, updatedAt }) => status === 'failed' && updatedAt >= fleet.now - dayMs,
  );
  const open = there.filter(({ status }) => ['scheduling', 'running'].includes(status));
  const stuck = open.filter(({ createdAt }) => fleet.now - createdAt > dayMs / 24);
  expect([count('operations_failed'), count('operations_stuck')]).toEqual([failed.length, stuck.length]);
}

/** That keys are those of the report and of the service. */
export async function checkKeys(stage: Stage, account: string): Promise<void> {
  const { keys } = await stage.json(`/keys?sort=name&order=asc&account=${account}`);
  const { rows } = await stage.report('keys');
  const shown: readonly {
    account: string;
    key_id: string;
    created_at: string;
    last_used_at: string | null;
    stale: boolean;
  }[] = keys;
  const second = (text: unknown) => (typeof text === 'string' ? Date.parse(text) / 1000 : undefined);
  const facts = (list: readonly (readonly unknown[])[]) => list.map(each => each.join()).sort();
  const own = rows.filter(row => account === '' || row.account === account);
  expect(
    facts(
      shown.map(key => [
        key.account,
        key.key_id,
        second(key.created_at),
        second(key.last_used_at),
        key.stale,
      ]),
    ),
  ).toEqual(
    facts(
      own.map(row => [row.account, row.key_id, second(row.created_at), second(row.last_used_at), row.stale]),
    ),
  );
  expect(
    facts(shown.map(key => [key.account, key.key_id, second(key.created_at), second(key.last_used_at)])),
  ).toEqual(
    facts(
      stage.fleet.keys
        .filter(key => account === '' || key.account === account)
        .map(key => [key.account, key.id, key.createdAt, key.lastUsedAt]),
    ),
  );
}

/** That findings are those of the report that a filter leaves. */
export async function checkFindings(
  stage: Stage,
  asked: { readonly account: string; readonly group: string; readonly project: string },
): Promise<void> {
  const answer = await stage.json(`/findings?limit=500&${new URLSearchParams(asked)}`);
  const { rows } = await stage.report('findings');
  const [grouping, group] = asked.group.split('/');
  const meant = new Set(
    stage.fleet.projects
      .filter(({ account }) => asked.account === '' || account === asked.account)
      .filter(({ id, name }) => id.includes(asked.project) || name.includes(asked.project))
      .filter(each => asked.group === '' || groupOf(grouping === 'team' ? 'team' : 'stage', each) === group)
      .map(({ id }) => id),
  );
  const own = rows.filter(({ project_id }) => meant.has(String(project_id)));
  const shown: readonly Readonly<Record<string, string | null>>[] = answer.findings;
  const told = (row: Readonly<Record<string, unknown>>) =>
    [
      row.kind,
      row.project_id,
      row.endpoint_id || null,
      row.compute_hours_per_month,
      row.cost_per_month,
      row.most_compute_hours_per_month,
      row.most_cost_per_month,
    ].join();
  expect(shown.map(told)).toEqual(own.map(told));
  const sum = (key: string) => cents(...own.map(row => String(row[key] ?? 0)));
  const figures = ['cost_per_month', 'compute_hours_per_month'].flatMap(key => [key, `most_${key}`]);
  expect([answer.count, ...figures.map(key => cents(answer[key] ?? 0))]).toEqual([
    own.length,
    ...figures.map(sum),
  ]);
}
