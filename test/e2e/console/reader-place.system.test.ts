import { expect, test } from 'vitest';
import { describeWithPeers } from '../../support/peer.ts';
import { BrowsedDemo } from './browsed-demo.ts';
import { overflowOf } from './console-browser.ts';

describeWithPeers(['chromium'], 'a page is of use where its reader is', ({ chromium }) => {
  const demo = new BrowsedDemo(chromium, '--projects', '8');

  test('the time where the reader is stands beside UTC, in sentences, in tables and on paper', async () => {
    const options = { timezoneId: 'Asia/Kolkata', locale: 'en-GB', viewport: { width: 390, height: 844 } };
    const page = await demo.visit(options);
    await page.goto('/projects');
    await page.locator('td a[href^="/projects/"]').first().click();
    const told = page.locator('td time:has-text("UTC")').first();
    await expect.poll(() => told.textContent()).toMatch(/UTC.*\d{1,2}:\d\d GMT\+5:30\)?$/);
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
      const page = await demo.visit(options);
      await page.goto('/keys');
      expect(await page.locator('.local, .zone').count()).toBe(0);
      await page.close();
    }
  });

  test('fields that were empty when a form was sent can be used when the way back leads to it', async () => {
    const page = await demo.visit();
    await page.goto('/projects');
    const search = page.getByLabel('Name or id');
    // A browser keeps the page as it is when it leaves it; here it stays.
    await page.evaluate(
      "document.querySelector('main form').dispatchEvent(new Event('submit', { bubbles: true }))",
    );
    expect(await search.isDisabled()).toBe(true);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    expect(await search.isEnabled()).toBe(true);
    expect(demo.complaints).toEqual([]);
    await page.close();
  });

  // The browser of tests keeps no page in memory: it makes one anew, and by itself fills in what was chosen before.
  test('a filter says what its address does when the way back leads to it, in memory or made anew', async () => {
    await demo.untilForecast();
    const page = await demo.visit();
    await page.goto('/projects');
    const region = page.locator('main select[name="region"]');
    await expect
      .poll(async () => {
        await page.reload();
        return region.locator('option').count();
      })
      .toBeGreaterThan(1);
    const [, chosen = ''] = await region.locator('option').evaluateAll(all => all.map(each => each.value));
    expect(chosen).not.toBe('');
    await region.selectOption(chosen);
    await page.waitForURL(({ searchParams }) => searchParams.get('region') === chosen);
    expect(await region.inputValue()).toBe(chosen);
    await page.goBack();
    expect([new URL(page.url()).search, await region.inputValue()]).toEqual(['', '']);
    await region.evaluate((field, value) => Object.assign(field, { value }), chosen);
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    expect(await region.inputValue()).toBe('');
    await page.close();
  });

  test('folds are as they were left when the page is loaded anew, and when the way back leads to it', async () => {
    await demo.untilForecast();
    const page = await demo.visit();
    await page.goto('/cost');
    const open = () =>
      page
        .locator('main details:not(.pick)')
        .evaluateAll(all => all.flatMap((each, index) => (each.matches('[open]') ? [index] : [])));
    expect(await open()).toEqual([]);
    await page.getByText('The same as a table').first().click();
    const opened = await open();
    expect(opened).toHaveLength(1);
    await expect.poll(() => page.evaluate('history.state !== null')).toBe(true);
    await page.reload();
    expect(await open()).toEqual(opened);
    await page.goto('/keys');
    await page.goBack();
    expect(await open()).toEqual(opened);
    await page.goto('/health');
    await page.goto('/cost');
    expect(await open()).toEqual([]);
    expect(demo.complaints).toEqual([]);
    await page.close();
  });

  test('a search that finds nothing says below its field what its page does', async () => {
    const page = await demo.visit();
    await page.goto('/search?q=qqqq');
    const said = await page.locator('main .m').innerText();
    expect(said).toContain('operations by the first eight letters of their id');
    await page.locator('.find input').fill('qqqq');
    const row = page.locator('#found-nothing');
    await row.waitFor();
    expect(await row.innerText()).toBe(said);
    expect(await row.evaluate(each => each.scrollWidth - each.clientWidth)).toBe(0);
    await page.close();
  });

  test('YAML and commands are copied by a button, which is there with a script alone', async () => {
    const page = await demo.visit();
    const box = page.locator('.code').first();
    await page.goto('/prices?per_compute_hour=0.25');
    await box.getByRole('button', { name: 'Copy' }).focus();
    await page.keyboard.press('Enter');
    await box.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await box.getByRole('status').innerText()).toBe('Copied');
    const yaml = await box.locator('pre').innerText();
    const field = page.getByRole('searchbox').or(page.getByRole('combobox')).first();
    await field.focus();
    await page.keyboard.press('Control+V');
    expect((await field.inputValue()).replaceAll(/\s+/g, '')).toBe(yaml.replaceAll(/\s+/g, '').slice(0, 200));
    await page.close();
    const plain = await demo.visit({ javaScriptEnabled: false });
    await plain.goto('/prices?per_compute_hour=0.25');
    expect([
      await plain.locator('.code pre').first().isVisible(),
      await plain.locator('.code button').first().isVisible(),
    ]).toEqual([true, false]);
    await plain.close();
  });
});
