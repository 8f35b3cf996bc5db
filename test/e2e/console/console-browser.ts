import axe from 'axe-core';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type ViewportSize,
} from 'playwright-core';
import { patience } from '../../support/patience.ts';

/** A browser, and everything its pages complained of: messages on the console, violations of the policy, failed requests. */
export class ConsoleBrowser implements AsyncDisposable {
  readonly #browser: Browser;
  readonly complaints: string[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async open(executablePath: string): Promise<ConsoleBrowser> {
    const args = ['--no-sandbox', '--disable-gpu'];
    return new ConsoleBrowser(await chromium.launch({ executablePath, args }));
  }

  /** A new visitor, with the complaints of all pages that it opens. */
  async visit(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(patience.timeout);
    const page = await context.newPage();
    page.on('console', message => this.complaints.push(`${page.url()}: ${message.text()}`));
    page.on('pageerror', error => this.complaints.push(`${page.url()}: ${error.message}`));
    page.on('requestfailed', request => {
      // A page that is left takes its requests with it.
      const reason = request.failure()?.errorText ?? '';
      if (reason !== 'net::ERR_ABORTED') this.complaints.push(`${request.url()}: ${reason}`);
    });
    page.on('response', response => {
      if (response.status() >= 400) this.complaints.push(`${response.url()}: ${response.status()}`);
    });
    return page;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#browser.close();
  }
}

/** Barriers of a page that axe finds, a line for each rule with the first element that breaks it. */
export async function findBarriers(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // The policy of the page forbids scripts that are written into it; what is evaluated this way is none.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as axe.AxeResults;
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.length}, first ${nodes[0]?.html})`);
}

/** Pixels by which a page is wider than the window. */
export async function overflowOf(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
}

/** Words that run out of their card, and menus that open beyond the window. */
const findSpills = `(() => {
  const found = new Set();
  const isClipped = node => node.matches('.card') ? false : getComputedStyle(node).overflowX !== 'visible' || isClipped(node.parentElement);
  const isWord = node => [...node.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
  const isBeyond = (node, left, right) => {
    const box = node.getBoundingClientRect();
    return box.width > 1 && (box.left < left - 1 || box.right > right + 1);
  };
  const note = (what, node) => found.add(what + ': ' + node.textContent.trim().slice(0, 40));
  for (const card of document.querySelectorAll('.card')) {
    const { left, right } = card.getBoundingClientRect();
    for (const node of card.querySelectorAll(':not(svg *)'))
      if (isWord(node) && node.checkVisibility() && isBeyond(node, left, right) && !isClipped(node)) note('out of its card', node);
  }
  for (const pick of document.querySelectorAll('details.pick')) {
    pick.open = true;
    const menu = pick.querySelector('.menu');
    const { left, right } = menu.getBoundingClientRect();
    if (isBeyond(menu, 0, innerWidth)) note('beyond the window', pick);
    for (const node of menu.querySelectorAll('*')) if (isBeyond(node, left, right)) note('out of its menu', node);
    pick.open = false;
  }
  return [...found];
})()`;

interface Look {
  readonly name: string;
  readonly viewport: ViewportSize;
  readonly colorScheme: 'light' | 'dark';
  /** The rules of axe that can tell this look from the ones before; all of them unless told. */
  readonly rules?: readonly string[];
}

const looks: readonly Look[] = [
  { name: 'wide and light', viewport: { width: 1400, height: 1000 }, colorScheme: 'light' },
  {
    ...{ name: 'wide and dark', viewport: { width: 1400, height: 1000 }, colorScheme: 'dark' },
    rules: ['color-contrast'],
  },
  { name: 'narrow and light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  {
    ...{ name: 'narrow and dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
    rules: ['color-contrast'],
  },
];

/** Barriers, and content that is wider than the window, in as many of the looks as told at the open page. */
export async function findFaults(page: Page, count = looks.length): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { name, viewport, colorScheme, rules } of looks.slice(0, count)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const overflow = await overflowOf(page);
    if (overflow > 0) faults.push(`${name}: ${overflow} pixels too wide`);
    for (const spill of (await page.evaluate(findSpills)) as string[]) faults.push(`${name}: ${spill}`);
    for (const barrier of await findBarriers(page, rules)) faults.push(`${name}: ${barrier}`);
  }
  return faults;
}
