import { afterAll, beforeAll, expect, test } from 'vitest';
import { LivedHistory } from '../../support/lived-history.ts';
import { openConsole } from '../../support/open-console.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { ConsoleBrowser } from './console-browser.ts';
import { serveConsole } from './served-console.ts';

const hour = 3600;
/** The width of A4 without the margins of a printed page, in pixels of a browser. */
const paperWidth = Math.floor(((210 - 2 * 16) / 25.4) * 96);
const paperHeight = Math.floor(((297 - 2 * 16) / 25.4) * 96);

const plan = (name: string, projects: string, price: string) =>
  `{name: "${name}", match: {projects: ["${projects}"]}, base_fee: 1234.5, included: {compute_hours: 1, per: account}, prices: [{from: 2026-01-01, per_compute_hour: ${price}}]}`;
const lines = Array.from(
  { length: 70 },
  (_, index) =>
    `{name: "line ${index} of a long bill", account: main, from: 2026-01-01, amount: ${index + 1}}`,
);
const pricing = (extra: string) => `
pricing:
  currency: EUR
  billing_period: {hours: 48, from: 2026-10-01}
  plans:
    - ${plan('Enterprise scale with a name that is long', '*a*', '0.123456')}
    - ${plan('all others', '*', '0.16')}
${extra}
`;

describeWithPeers(['chromium'], 'an invoice on A4', ({ chromium }) => {
  const past = { now: Date.UTC(2026, 9, 1) / 1000, historyDays: 3 };
  const lived = new LivedHistory({ ...past, projects: 6, accounts: ['main', 'of another team'] });
  const other = new LivedHistory({ ...past, projects: 2, seed: 9, name: 'of another team', within: lived });
  let browser: ConsoleBrowser;
  beforeAll(async () => {
    for (const life of [lived, other]) life.watch(60 * hour, { listEverySeconds: hour, projectsEvery: 4 });
    browser = await ConsoleBrowser.open(chromium);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    lived[Symbol.dispose]();
  });

  test.each([
    ['of one account is one page', '', 'main', [1]],
    ['of several accounts is one page', '', '', [1]],
    ['with seventy lines goes on on further pages', `  lines: [${lines.join(', ')}]`, '', [3, 4, 5]],
  ] as const)(
    '%s, with whole words, every column and its total, and without what only a screen needs',
    async (_, extra, account, pages) => {
      const shown = await openConsole({
        file: lived.folder.file,
        now: lived.now,
        yaml: pricing(extra),
        accounts: ['main', 'of another team'],
      });
      const { url, close } = await serveConsole(shown, lived);
      const page = await browser.visit(url, { viewport: { width: paperWidth, height: paperHeight } });
      await page.goto(`/cost/invoice?account=${account}`);
      await page.emulateMedia({ media: 'print' });
      const wide = await page
        .locator('html, main, main *')
        .evaluateAll(
          (all, width) => all.filter(each => each.getBoundingClientRect().right > width + 1).length,
          paperWidth,
        );
      expect(wide).toBe(0);
      const cut = await page
        .locator('html, .wide, .wide table')
        .evaluateAll(all => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
      expect(cut).toBe(0);
      const { invoice } = await shown.json(`/cost/invoice?account=${account}`);
      const total = page.locator('main tfoot');
      expect(await total.isVisible()).toBe(true);
      const lineCount = await total
        .locator('td')
        .first()
        .evaluate(cell => {
          const range = cell.ownerDocument.createRange();
          range.selectNodeContents(cell);
          return range.getClientRects().length;
        });
      expect(lineCount, 'lines of the word Total').toBe(1);
      expect((await total.innerText()).replace(/[^\d.]/g, '')).toContain(invoice.total);
      expect(await page.locator('main tbody tr').count()).toBeGreaterThanOrEqual(invoice.lines.length);
      for (const hidden of ['nav', 'form', 'footer'])
        expect(await page.locator(hidden).locator('visible=true').count(), hidden).toBe(0);
      const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1');
      expect(
        /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/
          .exec(pdf)
          ?.slice(1)
          .map(each => Math.round(Number(each))),
      ).toEqual([595, 842]);
      expect(pdf.match(/\/Type \/Page\b(?!s)/g)?.length).toBeOneOf([...pages]);
      expect(browser.complaints).toEqual([]);
      await page.close();
      close();
      shown.close();
    },
    120_000,
  );
});
