import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProgram } from '../../support/daemon-process.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { ConsoleBrowser, overflowOf } from './console-browser.ts';

describeWithPeers(['chromium'], 'a page is of use where its reader is', ({ chromium }) => {
  const demo = startProgram(['demo', '--web.listen-address', '127.0.0.1:0', '--projects', '8']);
  let url: string;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    url = await demo.untilWritten('stdout', /Open the console: (http:\S+)/);
    browser = await ConsoleBrowser.open(chromium);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await demo.stop('SIGTERM');
  });

  test('the time where the reader is stands beside UTC, in sentences, in tables and on paper', async () => {
    const options = { timezoneId: 'Asia/Kolkata', locale: 'en-GB', viewport: { width: 390, height: 844 } };
    const page = await browser.visit(url, options);
    await page.goto('/keys');
    const created = page.locator('td time:has-text("UTC")').first();
    await expect.poll(() => created.innerText()).toMatch(/UTC (.+, )?\d{1,2}:\d\d GMT\+5:30$/);
    await page.goto('/projects');
    const sentence = page.locator('main p time').first();
    await expect.poll(() => sentence.innerText()).toMatch(/00:00 UTC \(0?5:30 GMT\+5:30\)$/);
    const zone = 'Times are in UTC. Where you are it is 5 h 30 min later (Asia/Calcutta).';
    expect(await page.locator('#fresh .zone').innerText()).toBe(zone);
    expect(await page.locator('time:not(:has-text("UTC")) .local').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await sentence.locator('.local').isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.close();
  });

  test('nothing is added without scripts, and nothing for a reader in UTC', async () => {
    for (const options of [{ javaScriptEnabled: false, timezoneId: 'Asia/Kolkata' }, { timezoneId: 'UTC' }]) {
      const page = await browser.visit(url, options);
      await page.goto('/keys');
      expect(await page.locator('.local, .zone').count()).toBe(0);
      await page.close();
    }
  });

  test('fields that were empty when a form was sent can be used when the way back leads to it', async () => {
    const page = await browser.visit(url);
    await page.goto('/projects');
    const search = page.getByLabel('Name or id');
    // A browser keeps the page as it is when it leaves it; here it stays.
    await page.evaluate(
      "document.querySelector('main form').dispatchEvent(new Event('submit', { bubbles: true }))",
    );
    expect(await search.isDisabled()).toBe(true);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    expect(await search.isEnabled()).toBe(true);
    expect(browser.complaints).toEqual([]);
    await page.close();
  });
});
