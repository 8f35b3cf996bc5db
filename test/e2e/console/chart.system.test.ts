import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeWithPeers } from '../../support/peer.ts';
import { BrowsedDemo } from './browsed-demo.ts';

/** What is read of a chart now. */
function readingsOf(page: Page): Promise<unknown> {
  return page.evaluate(
    `[...document.querySelectorAll('#cost-by-step .tip')].filter(each => each.getBoundingClientRect().width > 2).map(each => each.querySelector('.of').textContent)`,
  );
}

describeWithPeers(['chromium'], 'a chart is read', ({ chromium }) => {
  const demo = new BrowsedDemo(chromium, '--projects', '8');

  const open = async (options: BrowserContextOptions) => {
    const page = await demo.visit(options);
    await page.goto('/cost?period=last-30d');
    await page.locator('#cost-by-step').waitFor();
    return page;
  };

  test('by the keyboard, where the arrows lead from day to day', async () => {
    const page = await open({ viewport: { width: 1400, height: 900 } });
    const stops = page.locator('#cost-by-step .day[tabindex="0"]');
    await expect.poll(() => stops.count()).toBe(1);
    await stops.focus();
    const last = await readingsOf(page);
    await page.keyboard.press('ArrowLeft');
    const before = await readingsOf(page);
    expect([last, before]).toEqual([
      [expect.stringMatching(/^\w{3} \d/)],
      [expect.stringMatching(/^\w{3} \d/)],
    ]);
    expect(before).not.toEqual(last);
    await page.keyboard.press('End');
    expect(await readingsOf(page)).toEqual(last);
    await page.close();
  });

  test('a switched entry of the legend leaves the others standing on the ground', async () => {
    const page = await open({ viewport: { width: 1400, height: 900 } });
    const button = page.locator('#cost-by-step .key button').last();
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
    await button.click();
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    const lowest = page.locator('#cost-by-step .bars:not(.off)').first().locator('rect').first();
    const [y, height] = [await lowest.getAttribute('y'), await lowest.getAttribute('height')];
    expect(Number(y) + Number(height)).toBeCloseTo(1000, 0);
    await page.close();
  });

  test('by a finger, which reads a day first and then follows it', async () => {
    const page = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    const day = page.locator('#cost-by-step .day').nth(8);
    await day.tap();
    await expect.poll(() => readingsOf(page)).toHaveLength(1);
    expect(page.url()).toContain('period=last-30d');
    await day.tap();
    await page.waitForURL(/by=project/);
    await page.close();
    expect(demo.complaints).toEqual([]);
  });

  test('on a phone, where what is read lies whole within the window on either side', async () => {
    const page = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    const days = page.locator('#cost-by-step .day');
    const count = await days.count();
    const beyond: string[] = [];
    for (const place of [0, 8, Math.floor(count / 2), count - 8, count - 1]) {
      const day = days.nth(place);
      await day.tap();
      const box = await day.locator('.tip').boundingBox();
      if (box === null || box.x < 0 || box.x + box.width > 390 || box.width < 250)
        beyond.push(`${place} of ${count}: ${JSON.stringify(box)}`);
    }
    expect(beyond).toEqual([]);
    await page.close();
  });

  test('on a phone, where a table of the same scrolls and no day or amount in it is broken', async () => {
    const page = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await page.locator('#cost-by-step summary').tap();
    await page.locator('#cost-by-step td').first().waitFor();
    const broken = await page.evaluate(`[...document.querySelectorAll('#cost-by-step td')].filter(cell => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    }).map(({ textContent }) => textContent)`);
    expect(broken).toEqual([]);
    await page.close();
  });
});
