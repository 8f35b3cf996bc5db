import { beforeAll, expect, test, vi } from 'vitest';
import { pages } from '../../../src/console/site.ts';
import { patience } from '../../support/patience.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { BrowsedDemo } from './browsed-demo.ts';
import { ConsoleBrowser, findFaults, overflowOf } from './console-browser.ts';

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

/** Words in cells that stand on more than one line; those of a request to copy may. */
const findBrokenWords = `[...document.querySelectorAll('main :is(td, th)')].filter(cell => cell.checkVisibility()).flatMap(cell => {
  const found = [];
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    if (text.parentElement.closest('pre') !== null) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]{2,}/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
    }
  }
  return found;
})`;

/** What has the focus, where something else is drawn over its middle. */
const findHiddenFocus = `(() => {
  const focused = document.activeElement;
  if (focused === document.body || focused.matches('.bar *, .skip, .wide')) return [];
  const { x, y, width, height } = focused.getClientRects()[0];
  const seen = document.elementFromPoint(x + width / 2, y + height / 2);
  return seen !== null && (focused.contains(seen) || seen.contains(focused)) ? [] : [focused.textContent];
})()`;

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

  test('breaks no word of a table, and is no wider than the window, where that has too little room for it', async () => {
    const page = await demo.visit();
    const faults: string[] = [];
    for (const link of new Map(links.map(each => [pageOf(each), each])).values()) {
      await page.goto(link);
      for (const width of [641, 700, 1000, 1240, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        const found = [...((await page.evaluate(findBrokenWords)) as string[]), await overflowOf(page)];
        if (found.some(each => each !== 0)) faults.push(`${link} at ${width}: ${found.join(', ')}`);
      }
    }
    expect(faults).toEqual([]);
    await page.close();
  });

  test.each(['/projects', '/report/usage', '/help/alerts'])(
    'what the keyboard comes back to on %s is not below the bar or the head of its table',
    async path => {
      const page = await demo.visit({ viewport: { width: 1400, height: 400 } });
      await page.goto(path);
      await page.locator('.foot a').last().focus();
      const hidden: string[] = [];
      for (let steps = 0; steps < 40; steps += 1) {
        await page.keyboard.press('Shift+Tab');
        hidden.push(...((await page.evaluate(findHiddenFocus)) as string[]));
      }
      expect(hidden).toEqual([]);
      await page.close();
    },
  );

  test('what a link leads to is not below the bar', async () => {
    const page = await demo.visit();
    for (const path of ['/words#budget', '/help/alerts#runbook']) {
      await page.goto(path);
      const [bar, place] = [
        await page.locator('.bar').boundingBox(),
        await page.locator(':target').boundingBox(),
      ];
      expect(place?.y, path).toBeGreaterThanOrEqual(bar?.height ?? Number.NaN);
    }
    await page.close();
  });

  test('a row of findings leads to its project, and not to what its kind means', async () => {
    const page = await demo.visit();
    await page.goto('/findings');
    await page.locator('main tbody tr').first().locator('td.number').first().click();
    await page.waitForURL(url => url.pathname.startsWith('/projects/demo/'));
    await page.close();
  });

  test('in the few colours of a reader, what is chosen is filled', async () => {
    const page = await demo.visit({ forcedColors: 'active' });
    await page.goto('/cost');
    const fillOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
    expect(await fillOf('.seg [aria-current]')).not.toBe(await fillOf('.seg a:not([aria-current])'));
    expect(await fillOf('.bar .dot')).not.toBe(await fillOf('.bar'));
    await page.close();
  });

  test('the sentence below a title has the width of the page, and what can be chosen stands beside the title', async () => {
    const page = await demo.visit({ viewport: { width: 1400, height: 900 } });
    await page.goto('/cost');
    const [title, sentence, choices] = await Promise.all(
      ['h1', '.head p', '.acts'].map(each => page.locator(each).first().boundingBox()),
    );
    expect(sentence?.height).toBeLessThan(30);
    expect(choices?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
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
