import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkConfigCommand } from '../../../src/cli/check-config.ts';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import type { History } from '../../../src/history/history.ts';
import { makeFakeIo } from '../../cli/fake-io.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { projectGoneReading, projectsReading, startAt, wireProject } from '../../support/reading-builder.ts';

const config = (file: string) => `accounts:
  - {name: main, base_url: "https://api.example.com/api/v2/", api_key_env: KEY}
history: {file: ${file}}
pricing:
  currency: USD
  plans:
    - name: far
      match: {regions: ["ap-*"]}
      prices: [{from: 2026-01-01, per_compute_hour: 0.2}]
    - name: shops
      match: {groups: [team/Shop team]}
      prices: [{from: 2026-01-01, per_compute_hour: 0.16}]
      to: 2026-06-01
    - name: new-shops
      match: {groups: [team/Shop team]}
      prices: [{from: 2026-06-01, per_compute_hour: 0.18}]
      from: 2026-06-01
    - name: data
      match: {groups: [team/data]}
      prices: [{from: 2026-01-01, per_compute_hour: 0.16}]
groups:
  team:
    Shop team: {projects: ["shop-*"], platforms: [aws]}
    first-shop: {projects: ["shop-1"]}
    data: {projects: ["dw-*"]}
    rest: {projects: ["*"]}
budgets:
  - {name: everything, account: main, compute_hours: 5, per: month}
  - {name: gone, projects: [p-gone], compute_hours: 5, per: month}
  - {name: typo, projects: [shp-1], compute_hours: 5, per: month}
  - {name: left, group: team/first-shop, compute_hours: 5, per: month}
`;

async function check(folder: HistoryFolder): Promise<string> {
  const file = join(folder.path, 'dbpm.yaml');
  writeFileSync(file, config(folder.file));
  const { io, printed } = makeFakeIo({
    env: { KEY: 'canary-key', DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:10062' },
  });
  const argv = ['check-config', '--config.file', file];
  expect(await runCommandLine(io, argv, [checkConfigCommand(io)])).toBe(0);
  expect(printed.stdout).toContain('The configuration is valid.\n');
  return printed.stderr.replaceAll(folder.path, 'DIR');
}

function recordShop(history: History): void {
  const shop = wireProject('p-1', { name: 'shop-1', region_id: 'eu-1', platform_id: 'aws' });
  history.commitOne(projectsReading(startAt, [shop, wireProject('p-gone')]));
  history.commitOne(projectGoneReading(startAt + 1000, 'p-gone'));
}

const advice = 'compare its names with those of the projects, unless they are still to come';
const none = 'which is for none of the projects in DIR/dbpm.sqlite';

test('plans, groups and budgets for no project of the history are warned of where they stand', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  recordShop(history);
  folder.close(history);
  // first-shop matches shop-1 alone, which is the shop team's.
  expect(await check(folder)).toBe(
    [
      `warning: DIR/dbpm.yaml:7: pricing.plans[0]: found plan "far", ${none}, ${advice}\n`,
      `warning: DIR/dbpm.yaml:18: pricing.plans[3]: found plan "data", ${none}, ${advice}\n`,
      'warning: DIR/dbpm.yaml:24: groups.team.first-shop: found group "first-shop", whose projects all fall under others before it, put it before them, as the first that matches a project gets it\n',
      `warning: DIR/dbpm.yaml:25: groups.team.data: found group "data", ${none}, ${advice}\n`,
      `warning: DIR/dbpm.yaml:30: budgets[2]: found budget "typo", ${none}, ${advice}\n`,
      `warning: DIR/dbpm.yaml:31: budgets[3]: found budget "left", ${none}, ${advice}\n`,
    ].join(''),
  );
  expect(readdirSync(folder.path).sort()).toEqual(['dbpm.sqlite', 'dbpm.sqlite.lock', 'dbpm.yaml']);
});

test('a history that is being written is asked all the same', async () => {
  using folder = new HistoryFolder();
  recordShop(folder.open());
  expect(await check(folder)).toContain('found budget "typo"');
});

test('without a history, or with an empty one, nothing can be said to match nothing', async () => {
  using folder = new HistoryFolder();
  expect(await check(folder)).toBe('');
  folder.close(folder.open());
  expect(await check(folder)).toBe('');
});
