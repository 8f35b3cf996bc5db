import { beforeAll, expect, test, vi } from 'vitest';
import { pages } from '../../../src/console/site.ts';
import { patience } from '../../support/patience.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { BrowsedDemo } from './browsed-demo.ts';
import { ConsoleBrowser, findFaults } from './console-browser.ts';

/** What only limits a page to a part of what it shows draws nothing else. */
const limits = new Set(['account', 'period', 'limit']);

/** The page that a link leads to, whatever it is of. */
function pageOf(link: string): string {
  return new URL(link, 'http://x').pathname
    .replace(/^\/projects\/[^/]+\/[^/]+/, '/projects/*/*')
    .replace(/^\/operations\/.+/, '/operations/*')
    .replace(/^\/report\/.+/, '/report/*')
    .replace(/^(\/help\/(alerts\/)?)[^/]+$/, '$1*');
}

/** A link of each kind of page: of those that differ in names, values and limits alone, the first; each report once. */
function oneOfEach(links: readonly string[]): readonly string[] {
  const kind = (link: string) => {
    const { pathname, searchParams } = new URL(link, 'http://x');
    if (pageOf(link) === '/report/*') return pathname;
    return `${pageOf(link)}?${[...searchParams.keys()]
      .filter(name => !limits.has(name))
      .sort()
      .join('&')}`;
  };
  return [...Map.groupBy(links, kind).values()].flatMap(([first]) => first ?? []);
}

describeWithPeers(['chromium'], 'every page of the console', ({ chromium }) => {
  const demo = new BrowsedDemo(chromium, '--projects', '8');
  let links: readonly string[];

  beforeAll(async () => {
    await demo.untilForecast();
    links = await findLinks(demo.url);
  });

  /** All pages that can be reached by links, but for those that only sort or page otherwise. */
  async function findLinks(root: string): Promise<readonly string[]> {
    const found = new Set(['/']);
    for (const link of found) {
      const markup = await readWhole(new URL(link, root));
      const hrefs = [...markup.matchAll(/<a [^>]*?href="(\/[^"]*)"/g)].flatMap(([, href]) => href ?? []);
      const known = oneOfEach([
        ...found,
        ...hrefs
          .map(href => href.replaceAll('&amp;', '&'))
          .filter(href => !/^\/(metrics|api|reports)|[?&](sort|cursor)=/.test(href)),
      ]);
      for (const each of known) found.add(each);
      if (found.size > 60) break;
    }
    return [...found];
  }

  /** A page once all of it is worked out: until then it renews itself. */
  function readWhole(address: URL): Promise<string> {
    return vi.waitFor(async () => {
      const markup = await (await fetch(address)).text();
      expect(markup).not.toContain('http-equiv="refresh"');
      return markup;
    }, patience);
  }

  test('is reached by links alone, without scripts', () => {
    const paths = new Set(links.map(link => new URL(link, demo.url).pathname));
    for (const { path, isListed } of pages) if (isListed) expect(paths).toContain(path);
    expect([...paths].filter(path => path.startsWith('/projects/'))).not.toEqual([]);
  });

  test('has no barrier, no wider content than the window and no complaint', async () => {
    const page = await demo.visit();
    const faults: Record<string, readonly string[]> = {};
    const seen = new Set<string>();
    for (const link of links) {
      await page.goto(link);
      // What a page is asked for changes little of how it looks: the first look tells what is on it.
      const found = await findFaults(page, seen.has(pageOf(link)) ? 1 : undefined);
      seen.add(pageOf(link));
      if (found.length > 0) faults[link] = found;
    }
    expect(faults).toEqual({});
    expect(demo.complaints).toEqual([]);
    await page.close();
  });

  test('has no barrier either where it says what is not there', async () => {
    // These are answered 404 and 400, which a browser complains of.
    await using apart = await ConsoleBrowser.open(chromium);
    const page = await apart.visit(demo.url);
    for (const link of ['/nothing', '/projects/demo/nobody', '/projects?sort=colour', '/cost?period=never']) {
      await page.goto(link);
      expect(await findFaults(page), link).toEqual([]);
      expect(await page.locator('main a[href^="/"], nav a[href="/"]').count(), link).toBeGreaterThan(0);
    }
  });

  test('renews itself without losing its place', async () => {
    const page = await demo.visit({ viewport: { width: 1400, height: 300 } });
    await page.clock.install();
    await page.goto('/keys');
    await page.evaluate('scrollTo(0, 150); document.querySelector("#main table a").focus()');
    const before = await page.evaluate('[scrollY, document.activeElement.textContent]');
    const renewed = page.waitForResponse(response => response.url().endsWith('/keys'));
    await page.clock.runFor(16_000);
    await renewed;
    await expect.poll(() => page.evaluate('[scrollY, document.activeElement.textContent]')).toEqual(before);
    expect(await page.locator('#fresh').getAttribute('class')).not.toBe('late');
    await page.close();
  });

  test('tells those who point at an age both the time of the reader and UTC', async () => {
    const page = await demo.visit({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
    await page.goto('/keys');
    const age = page.locator('main time[title]').first();
    const at = new Date((await age.getAttribute('datetime')) ?? '');
    const local = at.toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone: 'Asia/Tokyo' });
    const utc = `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC\n`;
    expect(await age.getAttribute('title')).toMatch(new RegExp(`^${utc}(.+, )?${local} GMT\\+9$`));
    await page.close();
  });
});
