import { expect } from 'vitest';
import { openConsole } from '../../support/open-console.ts';

type OpenConsole = Awaited<ReturnType<typeof openConsole>>;
type Json = Record<string, unknown>;

/** An allowance that is shared, a base fee and a minimum: each applies once to the account, and budgets look at all of it. */
export const yaml = `
groups: {team: {web: {projects: ["*a*"]}, data: {projects: ["*e*"]}}}
pricing:
  currency: USD
  plans:
    - name: all
      included: {compute_hours: 7, per: account}
      base_fee: 5
      minimum: 19
      prices:
        - {from: 2026-01-01, tiers: [{up_to: 10, per_compute_hour: 0.16}, {per_compute_hour: 0.11}]}
budgets:
  - {name: all, per: month, account: main, amount: 40}
  - {name: web, per: month, group: team/web, compute_hours: 9}
`;

/** Pages of the whole fleet. */
export const fleetAddresses = [
  ...[
    '/overview',
    '/cost',
    '/cost?by=group',
    '/cost?by=project',
    '/findings',
    '/findings?show=done',
    '/cost/why',
  ],
  ...['/cost/invoice?period=billing:2026-10', '/operations', '/operations?range=30d&status=failed', '/keys'],
  ...['/keys?show=stale', '/projects', '/projects?sort=hours&order=desc', '/projects?group=team/web'],
];

/** Pages of each project. */
export async function projectAddresses(whole: OpenConsole): Promise<readonly string[]> {
  const { projects } = await whole.json('/projects');
  return projects.flatMap(({ project_id }: { project_id: string }) => [
    `/projects/main/${project_id}?range=7d`,
    `/operations?project=${project_id}&status=all&range=30d`,
    `/operations?project=${project_id}&range=30d`,
  ]);
}

/** Compares answers of two consoles; cursors have the numbers of rows, which are others in other files. */
export async function expectSame(
  whole: OpenConsole,
  split: OpenConsole,
  addresses: readonly string[],
): Promise<void> {
  for (const address of addresses) {
    const wanted = withoutCursors(await whole.json(address));
    expect(wanted).not.toHaveProperty('possible');
    expect([address, withoutCursors(await split.json(address))]).toEqual([address, wanted]);
  }
}

function withoutCursors(answer: Json): Json {
  return JSON.parse(JSON.stringify(answer), (key, value) => (key === 'next_cursor' ? value !== null : value));
}

/** Lists that are read on by their cursors, with the name of the list in the answer. */
const failedList = ['/operations?status=failed&range=30d&limit=2', 'failed'] as const;
const projectList = ['/projects?sort=hours&limit=2', 'projects'] as const;
const lists = { failed: [failedList], all: [failedList, projectList] } as const;

/** Compares lists that are read on part by part. */
export async function expectSameLists(
  whole: OpenConsole,
  split: OpenConsole,
  which: keyof typeof lists = 'all',
): Promise<void> {
  for (const [address, list] of lists[which]) {
    const wanted = await readOn(whole, address, list);
    expect(wanted.length).toBeGreaterThan(3);
    expect([address, await readOn(split, address, list)]).toEqual([address, wanted]);
  }
}

async function readOn({ json }: OpenConsole, address: string, list: string): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const answer: Json = await json(`${address}&cursor=${cursor}`);
    const part = (Array.isArray(answer[list]) ? answer : answer[list]) as Json;
    rows.push(...((part[list] ?? part.operations) as unknown[]));
    cursor = part.next_cursor as string | null;
  }
  return rows;
}

/** Two consoles, the second over several files, and what is done with both. */
export async function withBoth(
  setting: Parameters<typeof openConsole>[0],
  files: readonly string[],
  work: (whole: OpenConsole, split: OpenConsole) => Promise<void>,
): Promise<void> {
  const whole = await openConsole(setting);
  const split = await openConsole({ ...setting, files });
  try {
    await work(whole, split);
  } finally {
    whole.close();
    split.close();
  }
}
