import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../../support/csv-reader.ts';
import { startProgram } from '../../support/daemon-process.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { openConsole } from '../../support/open-console.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { startWorld, worldKey } from '../simulated-world.ts';
import { ConsoleBrowser } from './console-browser.ts';
import { serveConsole } from './served-console.ts';

const teams = 'groups: {team: {web: {projects: ["*a*"]}, data: {projects: ["*"]}}}';
const prices =
  'pricing: {currency: USD, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]}';

describeWithPeers(['chromium'], 'what people come for ends by clicks alone', ({ chromium }) => {
  const lived = new LivedHistory({
    now: Date.UTC(2026, 10, 4) / 1000,
    seed: 3,
    projects: 6,
    historyDays: 70,
  });
  let browser: ConsoleBrowser;
  beforeAll(async () => {
    lived.watch(6 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
    browser = await ConsoleBrowser.open(chromium);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    lived[Symbol.dispose]();
  });

  test('last month by team becomes a file, and says why it rose', async () => {
    const shown = await openConsole({
      file: lived.folder.file,
      now: lived.now,
      yaml: `${prices}\n${teams}\n`,
    });
    const { url, close } = await serveConsole(shown, lived);
    const page = await browser.visit(url);
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Cost' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'last month by team as CSV' }).click(),
    ]);
    const { rows } = readCsv(readFileSync((await download.path()) ?? '', 'utf8'));
    expect(rows.map(({ group, period }) => [group, period])).toEqual([
      ['team/web', 'last-month'],
      ['team/data', 'last-month'],
    ]);
    await page.getByRole('link', { name: 'Last period' }).click();
    await page.getByRole('link', { name: 'Why', exact: true }).click();
    await page.locator('select[name=group]').selectOption('team/web');
    await page.waitForURL(/group=team/);
    const difference = page.locator('.tile', { hasText: 'Difference' }).locator('.v');
    const { why } = await shown.json('/cost/why?period=last-billing&group=team/web');
    expect((await difference.innerText()).replace(/[^\d.]/g, '')).toBe(why.difference.replace('-', ''));
    const web = rows.find(({ group }) => group === 'team/web');
    expect([why.cost, await page.locator('.why tbody tr').last().innerText()]).toEqual([
      web?.cost,
      expect.stringContaining(web?.cost ?? ''),
    ]);
    await page.close();
    close();
    shown.close();
    expect(browser.complaints).toEqual([]);
  });

  test('a price in the box becomes YAML, with which the report says the same', async () => {
    const shown = await openConsole({ file: lived.folder.file, now: lived.now });
    const { url, close } = await serveConsole(shown, lived);
    const page = await browser.visit(url, { javaScriptEnabled: false });
    await page.goto('/');
    await page.getByLabel('A compute hour costs').fill('0.25');
    await page.getByRole('button', { name: 'Show what it comes to' }).click();
    const comesTo = await page
      .locator('tr', { hasText: 'Last billing period' })
      .locator('td')
      .nth(2)
      .innerText();
    const yaml = await page.locator('pre').innerText();
    const priced = await openConsole({ file: lived.folder.file, now: lived.now, yaml });
    const report = await priced.report('cost', { period: 'last-billing', by: 'account' });
    expect(comesTo.replace(/[$,]/g, '')).toBe(report.totals?.[1]);
    priced.close();
    await page.close();
    close();
    shown.close();
    expect(browser.complaints).toEqual([]);
  });

  test('a live account without a file comes from check to its first insight', async () => {
    const world = await startWorld({ seed: 5, historyDays: 35, projects: 8 });
    try {
      const env = { DBPM_BASE_URL: world.base_url, DBPM_API_KEY: worldKey };
      const check = startProgram(['check'], env);
      expect((await check.exited).code).toBe(0);
      const url = await world.startDaemon().untilServing();
      const page = await browser.visit(url);
      await page.goto('/');
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Savings' }).click();
      await page.getByText('Likely saved a month').waitFor();
      await page
        .locator('main')
        .getByRole('link')
        .filter({ hasNot: page.locator('svg') })
        .first()
        .waitFor();
      expect(await page.locator('main').innerText()).toMatch(/Set its|Delete it|Give it|suspend/);
      await page.close();
      expect(browser.complaints).toEqual([]);
    } finally {
      await world.close();
    }
  });
});
