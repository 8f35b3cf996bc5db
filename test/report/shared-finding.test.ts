import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import type { Config } from '../../src/config/config.ts';
import { UsageReader, usageOfReport } from '../../src/history/usage/usage-history.ts';
import { makeReport } from '../../src/report/maker.ts';
import { UsageCalculator, type WorkedOut } from '../../src/report/usage-view/calculator.ts';
import { usageOptionsOf } from '../../src/report/usage-view/options.ts';
import { LivedHistory } from '../support/lived-history.ts';

const day = 86_400;
const pace = { listEverySeconds: 900, projectsEvery: 1 };

/** A fleet with findings that is watched until half past nine, and the work of a daemon on it. */
async function watchWithWork() {
  const begin = Date.UTC(2026, 9, 1, 9, 30) / 1000;
  const life = new LivedHistory({ now: begin - 3 * day, seed: 21, projects: 8, historyDays: 30 });
  onTestFinished(() => life[Symbol.dispose]());
  life.watch(3 * day, pace);
  const config = await configOf(life, '0.5');
  const reader = new UsageReader(life.folder.file, ['main']);
  onTestFinished(() => reader.close());
  const calculator = new UsageCalculator({ ...usageOptionsOf(config), accounts: ['main'] }, reader);
  calculator.analyze();
  const worked: WorkedOut = {
    view: look => calculator.view(usageOfReport(look)),
    findingsOf: (...asked) => calculator.findingsOf(...asked),
  };
  return { life, config, worked };
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

/** The rows of findings, and how often the making of the report said how far it is: once for each project it looks at. */
async function findNow(life: LivedHistory, config: Config, worked?: WorkedOut) {
  let looked = 0;
  const onProgress = () => {
    looked += 1;
  };
  const order = { kind: 'findings', options: {}, config, now: life.now } as const;
  const { rows, totals, notes } = await makeReport(order, {
    onWarning: () => {},
    onProgress,
    ...(worked && { worked }),
  });
  return { looked, report: { rows, totals, notes } };
}

test('a report takes the findings that were worked out in the hour, which are those it would find', async () => {
  const { life, config, worked } = await watchWithWork();
  const alone = await findNow(life, config);
  expect(alone.report.rows.length).toBeGreaterThan(2);
  expect(alone.looked).toBe(8);
  expect(await findNow(life, config, worked)).toEqual({ ...alone, looked: 0 });
  life.watch(1500, pace);
  const { looked, report } = await findNow(life, config, worked);
  expect([looked, report.rows, report.totals]).toEqual([0, alone.report.rows, alone.report.totals]);
  expect((await findNow(life, config)).report).toEqual(report);
});

test('a report of another hour, or by other prices or rules, looks for its findings itself', async () => {
  const { life, config, worked } = await watchWithWork();
  const dearer = await configOf(life, '1.5');
  const choosy = { ...config, findings: { ...config.findings, leastComputeHours: 50 } };
  for (const other of [dearer, choosy]) {
    const found = await findNow(life, other, worked);
    expect(found).toEqual(await findNow(life, other));
    expect(found.looked).toBe(8);
  }
  life.watch(2400, pace);
  const later = await findNow(life, config, worked);
  expect(later).toEqual(await findNow(life, config));
  expect(later.looked).toBe(8);
});
