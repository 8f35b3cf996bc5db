import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

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
    const context = await this.#browser.newContext({ baseURL: url, ...options });
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

/** Faults of a page that axe finds, a line for each kind of fault with the first element that has it. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  // The policy of the page forbids scripts that are written into it; what is evaluated this way is none.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run(document)')) as axe.AxeResults;
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.length}, first ${nodes[0]?.html})`);
}

/** Pixels by which a page is wider than the window. */
export async function overflowOf(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
}
