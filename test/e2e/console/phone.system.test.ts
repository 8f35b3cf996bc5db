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

  test.each(['/projects', '/showback', '/findings', '/keys', '/cost/why', '/report/usage'])(
    'what a tap opens, names in rows and links at the foot of %s are targets of at least 36 pixels',
    async path => {
      const page = await open(path);
      const targets = page.locator(
        'main details:not(.pick) > summary, td:first-child > a:not(.pill), .foot a',
      );
      const low = await targets
        .filter({ visible: true })
        .evaluateAll(all =>
          all
            .filter(each => (each.getClientRects()[0]?.height ?? 0) < 36)
            .map(({ textContent }) => textContent),
        );
      expect(low).toEqual([]);
      await page.close();
    },
  );

  test.each(['/cost', '/showback', '/report/usage', 'a project'])(
    'no choice of a period or a range of %s is cut',
    async name => {
      const page = await open(name === 'a project' ? await linkIn('/projects', '/projects/demo/') : name);
      const cut = await page
        .locator('.seg')
        .evaluateAll(all => all.filter(each => each.scrollWidth > each.clientWidth).length);
      expect(cut).toBe(0);
      await page.close();
    },
  );

  test('what a row leaves out opens below its handle, which stays and says less, each label beside its value', async () => {
    const page = await open('/projects');
    const handle = page.locator('td.all summary').nth(1);
    const closed = await handle.boundingBox();
    expect(await handle.innerText()).toBe('more');
    await handle.click();
    expect(await handle.innerText()).toBe('less');
    const opened = await handle.boundingBox();
    expect([opened?.y, (opened?.x ?? 0) + (opened?.width ?? 0)]).toEqual([
      closed?.y,
      (closed?.x ?? 0) + (closed?.width ?? 0),
    ]);
    const facts = page.locator('td.all dl').nth(1);
    const [label, value] = [facts.locator('dt').first(), facts.locator('dd').first()];
    expect((await label.boundingBox())?.y).toBe((await value.boundingBox())?.y);
    await page.close();
  });

  test.each(['/report/budgets', '/keys'])('rows of %s are sorted by a choice', async path => {
    const page = await open(path, true);
    expect(await page.locator('thead a').filter({ visible: true }).count()).toBe(0);
    const sort = page.getByLabel('Sort by');
    const [, last = ''] = await sort.locator('option').evaluateAll(all => all.map(({ value }) => value));
    await sort.selectOption(last);
    await page.waitForURL(({ searchParams }) => searchParams.get('sort') === last);
    expect(await sort.inputValue()).toBe(last);
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

  test('what to do about a finding is in sight once, a tap shows why it is one, and paper shows it for all', async () => {
    const page = await open('/findings');
    const advice = 'Delete it if it is not needed, or give it an auto-suspend delay.';
    const advised = page.getByText(advice).filter({ visible: true });
    const seen = page.getByText('no client has used it').filter({ visible: true });
    const count = await page.getByText('no client has used it').count();
    expect([count > 0, await advised.count(), await seen.count()]).toEqual([true, count, 0]);
    await advised.first().click();
    expect([await advised.count(), await seen.count()]).toEqual([count, 1]);
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

  test('a printed sheet says its group and period, and sheets are in the order of the first page', async () => {
    const page = await open('/showback?period=billing');
    const groups = await page.locator('main .card td:first-child a').allInnerTexts();
    await page.emulateMedia({ media: 'print' });
    const heads = await page.locator('.sheet > .printed').allInnerTexts();
    expect(heads).toEqual(
      groups
        .slice(0, 4)
        .map(group =>
          expect.stringMatching(
            new RegExp(`^Showback of team/${group}, \\d{4}-\\d\\d-\\d\\d.* to .*, by dbpm-exporter$`),
          ),
        ),
    );
    await page.close();
  });

  test('paper has the figure of each day', async () => {
    const page = await open('/cost');
    const table = page.locator('main .mid .chart table');
    expect(await table.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await table.isVisible()).toBe(true);
    expect(await page.getByText('The same as a table').filter({ visible: true }).count()).toBe(0);
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
