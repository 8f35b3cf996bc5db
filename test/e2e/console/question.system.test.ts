import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startProgram } from '../../support/daemon-process.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { BrowsedDemo } from './browsed-demo.ts';

/** Scripts may be off: every question is answered without them, too. */
describeWithPeers(['chromium'], 'a question is answered by clicking', ({ chromium }) => {
  const demo = new BrowsedDemo(chromium);
  let files: string;

  beforeAll(async () => {
    files = await demo.program.untilWritten('stdout', /report cost (--config.file \S+ --history.file \S+)/);
    await demo.untilForecast();
  });

  async function openPage(javaScriptEnabled: boolean): Promise<Page> {
    const page = await demo.visit({ javaScriptEnabled, viewport: { width: 1400, height: 1000 } });
    await page.goto('/');
    return page;
  }

  test.each([true, false])('what is wrong, and where? (scripts: %s)', async scripts => {
    const page = await openPage(scripts);
    const wrong = page.locator('section', { hasText: 'What is wrong now' });
    await wrong.getByRole('link', { name: /operations? (is|are) stuck/ }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/operations');
    await page.getByRole('row', { name: /stuck/ }).getByRole('link').first().click();
    await expect.poll(() => page.getByRole('heading', { name: 'What to do next' }).count()).toBe(1);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('stuck');
    await page.close();
  });

  test('the overview is on one screen', async () => {
    const page = await openPage(true);
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBeLessThanOrEqual(0);
    await page.close();
  });

  test.each([true, false])('which project costs most, and what did it do? (scripts: %s)', async scripts => {
    const page = await openPage(scripts);
    await page.getByRole('navigation').getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('columnheader', { name: 'Compute hours' }).getByRole('link').click();
    await expect.poll(() => page.url()).toContain('sort=');
    const dearest = page.getByRole('row').nth(1).getByRole('link').first();
    const name = (await dearest.textContent()) ?? '';
    await dearest.click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
    await expect
      .poll(async () => {
        await page.reload();
        return page.getByText('expected at its end;').count();
      })
      .toBeGreaterThan(0);
    await expect
      .poll(() => page.getByRole('heading', { name: 'Forecast of this billing period' }).count())
      .toBe(1);
    await page.getByRole('link', { name: '30 days', exact: true }).click();
    await expect.poll(() => page.url()).toContain('range=30d');
    await expect.poll(() => page.getByRole('img').count()).toBeGreaterThan(1);
    await page.close();
  });

  test('what does the invoice come to? The file is the report of the command', async () => {
    const page = await openPage(false);
    await page.getByRole('navigation').getByRole('link', { name: 'Cost' }).click();
    await page.getByRole('link', { name: 'Last period' }).click();
    await page.getByRole('link', { name: 'Invoice' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Invoice');
    const total = (await page.locator('tfoot').first().textContent()) ?? '';
    const download = page.waitForEvent('download');
    await page.getByText('As a file').click();
    await page.getByRole('link', { name: 'These lines as CSV' }).click();
    const file = readFileSync(await (await download).path(), 'utf8');
    const argv = `report cost ${files} --period last-billing --by line --format csv`.split(' ');
    const command = startProgram(argv);
    await command.exited;
    expect(file).toBe(command.stdout());
    const cost = Number(/[\d,.]+/.exec(total.replace(/[^\d.,]/g, ''))?.[0].replaceAll(',', ''));
    expect(cost).toBeGreaterThan(0);
    expect(file).toContain(cost.toFixed(2));
    await page.close();
  });

  test.each([true, false])('what could be saved, and what if? (scripts: %s)', async scripts => {
    const page = await openPage(scripts);
    await page.getByRole('navigation').getByRole('link', { name: 'Savings' }).click();
    await page.getByLabel('Project').fill('hourly-glance');
    await page.getByLabel('Project').press('Enter');
    await page.waitForURL(/project=hourly-glance/);
    await page.getByRole('link', { name: 'hourly-glance' }).first().click();
    await page.getByLabel('Suspend after (seconds)').fill('300');
    await page.getByRole('button', { name: 'Replay' }).click();
    await expect.poll(() => page.url()).toContain('300');
    const replayed = page.getByRole('table', { name: /^What other settings would have saved/ });
    await expect.poll(() => replayed.textContent()).toMatch(/\$3\d\.\d\d/);
    await page.close();
  });

  test.each([true, false])('which keys does nobody use? (scripts: %s)', async scripts => {
    const page = await openPage(scripts);
    await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('link', { name: /^Safe to revoke \d+$/ }).click();
    await page.waitForURL(/show=/);
    await expect.poll(() => page.getByRole('row', { name: /never used/ }).count()).toBe(2);
    await expect.poll(() => page.getByRole('row', { name: /last used \d/ }).count()).toBe(0);
    await page.close();
  });

  test.each([true, false])('what does a word mean? (scripts: %s)', async scripts => {
    const page = await openPage(scripts);
    await page.goto('/projects');
    await page.getByRole('link', { name: 'compute hour', exact: true }).click();
    await expect.poll(() => page.url()).toBe(`${demo.url}words#compute_hour`);
    expect(await page.locator('dt:target').textContent()).toBe('compute hour');
    expect(await page.locator('dt:target + dd').textContent()).toMatch(
      /^One compute unit .*For example: .*\d/,
    );
    await page.close();
  });

  test('what did it cost before? The same part of the period before, and why it changed', async () => {
    const page = await openPage(false);
    await page.getByRole('link', { name: /\$[\d.,]+ (more|less)/ }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Why the cost changed');
    await expect.poll(() => page.getByText('nothing to compare with').count()).toBe(0);
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(3);
    await page.close();
  });

  test('all columns of the list of projects are seen at once on a wide screen', async () => {
    const page = await openPage(true);
    await page.goto('/projects');
    await page.getByText('their own forecasts come to').waitFor();
    const hidden = await page
      .locator('.wide')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(hidden).toBe(0);
    await page.close();
  });

  test('nothing was complained of', () => {
    expect(demo.complaints).toEqual([]);
  });
});
