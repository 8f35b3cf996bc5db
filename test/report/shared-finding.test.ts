import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import type { Config } from '../../src/config/config.ts';
import { UsageReader, usageOfReport } from '../../src/history/usage/usage-history.ts';
import { UsageCalculator, type WorkedOut } from '../../src/report/usage-view/calculator.ts';
import { usageOptionsOf } from '../../src/report/usage-view/options.ts';
import { makeReport } from '../../src/report/written-report.ts';
import { deleteProject, findProject } from '../../src/simulator/model/account.ts';
import { updateEndpoint } from '../../src/simulator/model/endpoint-request.ts';
import { liveEndpoints } from '../../src/simulator/model/project.ts';
import { LivedHistory } from '../support/lived-history.ts';

const day = 86_400;
const pace = { listEverySeconds: 900, projectsEvery: 1 };
const projects = 8;

/** A fleet with findings that was watched until five past nine, and the work of a daemon on it. */
async function watchWithWork() {
  const begin = Date.UTC(2026, 9, 1, 9, 5) / 1000;
  const life = new LivedHistory({ now: begin - 3 * day, seed: 21, projects, historyDays: 30 });
  onTestFinished(() => life[Symbol.dispose]());
  life.watch(3 * day, pace);
  const config = await configOf(life, '0.5');
  const reader = new UsageReader(life.folder.file, ['main']);
  onTestFinished(() => reader.close());
  const calculator = new UsageCalculator({ ...usageOptionsOf(config), accounts: ['main'] }, reader);
  calculator.analyze();
  let looked: string[] = [];
  const { reviewed } = calculator;
  const find = reviewed.find.bind(reviewed);
  vi.spyOn(reviewed, 'find').mockImplementation((project, restsOn, review) =>
    find(project, restsOn, () => {
      looked.push(project.project_id);
      return review();
    }),
  );
  const worked: WorkedOut = { view: (look, now) => calculator.view(usageOfReport(look), now), reviewed };
  /** The report that takes from the work, with the projects that were looked at for it. */
  const findNow = async (asked = config) => {
    looked = [];
    return { report: await findAlone(life, asked, worked), looked };
  };
  return { life, config, calculator, findNow };
}

async function configOf(life: LivedHistory, price: string): Promise<Config> {
  const configFile = `${life.folder.file}.yaml`;
  writeFileSync(
    configFile,
    `pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: "${price}"}]}]}`,
  );
  const flags = { 'config.file': configFile, 'history.file': life.folder.file };
  return (await loadCheckedConfig({ flags, env: {}, isOffline: true })).config;
}

async function findAlone(life: LivedHistory, config: Config, worked?: WorkedOut) {
  const order = { kind: 'findings', options: {}, config, now: life.now } as const;
  const listeners = { onWarning: () => {}, onProgress: () => {}, ...(worked && { worked }) };
  const { columns, rows, totals, notes } = await makeReport(order, listeners);
  return { columns, rows, totals, notes };
}

test('a report looks at no project that was looked at in the hour, by whatever prices it is', async () => {
  const { life, config, findNow } = await watchWithWork();
  const alone = await findAlone(life, config);
  expect(alone.rows.length).toBeGreaterThan(2);
  expect(await findNow()).toEqual({ report: alone, looked: [] });
  const dearer = await configOf(life, '1.5');
  expect(await findNow(dearer)).toEqual({ report: await findAlone(life, dearer), looked: [] });
  // What was read by five past nine told of the last minutes before nine only in part.
  life.watch(900, pace);
  await findNow();
  life.watch(1800, pace);
  expect(await findNow()).toEqual({ report: await findAlone(life, config), looked: [] });
});

test('a report of another hour, or by other rules, looks at all projects', async () => {
  const { life, config, findNow } = await watchWithWork();
  const choosy = { ...config, findings: { ...config.findings, leastComputeHours: 50 } };
  const found = await findNow(choosy);
  expect(found.report).toEqual(await findAlone(life, choosy));
  expect(found.looked).toHaveLength(projects);
  life.watch(3600, pace);
  const later = await findNow();
  expect(later.report).toEqual(await findAlone(life, config));
  expect(later.looked).toHaveLength(projects);
});

test('a project that is deleted, and one whose endpoint is changed, is looked at again at once', async () => {
  const { life, config, calculator, findNow } = await watchWithWork();
  life.watch(1800, pace);
  calculator.analyze();
  const { report: before } = await findNow();
  const place = before.columns.findIndex(({ key }) => key === 'project_id');
  const [first = '', second = ''] = before.rows.map(row => String(row[place]));
  deleteProject(findProject(life.account, first));
  for (const endpoint of liveEndpoints(findProject(life.account, second))) {
    const { minCu, maxCu } = endpoint.settings;
    const larger = { minCu: minCu === maxCu ? maxCu + 1 : minCu, maxCu: maxCu + 1 };
    updateEndpoint(life.account, endpoint, undefined, larger);
  }
  life.watch(900, pace);
  const { report, looked } = await findNow();
  expect(looked.toSorted()).toEqual([first, second].toSorted());
  // The metrics of findings follow.
  expect(calculator.analyze()).toBe(true);
  expect(report).toEqual(await findAlone(life, config));
});
