import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeWithPeers } from '../../support/peer.ts';
import { BrowsedDemo } from './browsed-demo.ts';
import { overflowOf } from './console-browser.ts';

const phone = { viewport: { width: 390, height: 844 } };

/** What is secondary is one tap away, also without scripts. */
describeWithPeers(['chromium'], 'on a phone', ({ chromium }) => {
  const demo = new BrowsedDemo(chromium);
  beforeAll(() => demo.untilForecast());

  async function open(path: string, javaScriptEnabled = false): Promise<Page> {
    const page = await demo.visit({ ...phone, javaScriptEnabled });
    await page.goto(path);
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator('meta[http-equiv="refresh"]').count();
      })
      .toBe(0);
    return page;
  }

  async function linkIn(path: string, start: string): Promise<string> {
    const page = await open(path);
    const href = await page.locator(`main a[href^="${start}"]`).first().getAttribute('href');
    await page.close();
    return href ?? '';
  }

  test.each([
    ...['/', '/projects', '/cost', '/cost?by=project', '/cost/why', '/cost/invoice', '/prices', '/showback'],
    ...['/findings', '/operations', '/keys', '/health', '/search', '/words', '/help', '/help/alerts'],
    ...['/help/metrics', '/report/usage', '/report/cost', '/report/findings', '/report/operations'],
    ...['a project', 'an operation'],
  ])('%s is at most 2,500 pixels long, and no wider than the window', async name => {
    const path =
      name === 'a project'
        ? await linkIn('/projects?sort=failures&order=desc', '/projects/demo/')
        : name === 'an operation'
          ? await linkIn('/operations', '/operations/demo/')
          : name;
    const page = await open(path);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(2500);
    expect(await overflowOf(page)).toBe(0);
    await page.close();
  });

  test('all pages are in one line of the navigation', async () => {
    const page = await open('/health');
    const hidden = await page
      .locator('#nav')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(hidden).toBe(0);
    expect(await page.locator('#nav a').filter({ visible: true }).allInnerTexts()).toEqual([
      ...['Projects', 'Cost', 'Savings'],
      expect.stringMatching(/^Operations/),
      expect.stringMatching(/^API keys/),
      'Health',
    ]);
    await page.locator('.logo').click();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.close();
  });

  test.each([
    ...['/operations', '/projects', '/findings', '/keys', '/health', '/cost/invoice', '/cost/why'],
    '/showback',
  ])('no table of %s scrolls sideways', async path => {
    const page = await open(path, true);
    const wider = await page
      .locator('.wide')
      .evaluateAll(each => each.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
    expect(wider).toBe(0);
    await expect.poll(() => page.locator('.wide tbody tr').count()).toBeGreaterThan(0);
    await page.close();
  });

  test('a tap shows the rest of a list, and paper all of it', async () => {
    const page = await open('/report/usage');
    const rows = page.locator('main tbody tr');
    const seen = rows.filter({ visible: true });
    const count = await rows.count();
    expect(count).toBeGreaterThan(20);
    expect(await seen.count()).toBe(8);
    await page.emulateMedia({ media: 'print' });
    expect(await seen.count()).toBe(count);
    await page.emulateMedia({ media: 'screen' });
    await page.getByText(`${count - 8} more`, { exact: true }).click();
    expect(await seen.count()).toBe(count);
    await page.close();
  });

  test('a tap shows why a finding is one, and paper shows it for all', async () => {
    const page = await open('/findings');
    const seen = page.locator('.advice').filter({ visible: true });
    const count = await page.locator('.advice').count();
    expect(await seen.count()).toBe(0);
    await page.getByText('Evidence, and what to do').filter({ visible: true }).first().click();
    expect(await seen.count()).toBe(1);
    await page.emulateMedia({ media: 'print' });
    expect(await seen.count()).toBe(count);
    await page.close();
  });

  test('a link to a word leads to what it means', async () => {
    const page = await open('/words#compute_hour');
    expect(await page.locator('dt:target + dd').isVisible()).toBe(true);
    expect(await page.locator('#budget').isVisible()).toBe(false);
    await page.close();
  });

  test('a sheet of each group is a tap away, and printed', async () => {
    const page = await open('/showback');
    const sheets = page.locator('.sheet').filter({ visible: true });
    expect(await sheets.count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await sheets.count()).toBe(4);
    await page.emulateMedia({ media: 'screen' });
    await page.getByText('The sheet of each group').click();
    expect(await sheets.count()).toBe(4);
    await page.close();
  });
});
