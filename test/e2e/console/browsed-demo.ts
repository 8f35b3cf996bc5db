import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { type ProgramProcess, startProgram } from '../../support/daemon-process.ts';
import { patience } from '../../support/patience.ts';
import { ConsoleBrowser } from './console-browser.ts';

/** The demo and a browser that looks at it, for as long as the tests of a group run. */
export class BrowsedDemo {
  readonly program: ProgramProcess;
  #url = '';
  #browser: ConsoleBrowser | undefined;

  constructor(chromium: string, ...argv: string[]) {
    this.program = startProgram(['demo', '--web.listen-address', '127.0.0.1:0', ...argv]);
    beforeAll(async () => {
      this.#url = await this.program.untilWritten('stdout', /Open the console: (http:\S+)/);
      this.#browser = await ConsoleBrowser.open(chromium);
    });
    afterAll(async () => {
      await this.#browser?.[Symbol.asyncDispose]();
      await this.program.stop('SIGTERM');
    });
  }

  /** Where its console is, with a slash at the end. */
  get url(): string {
    return this.#url;
  }

  get complaints(): readonly string[] {
    return this.#opened().complaints;
  }

  visit(options?: BrowserContextOptions): Promise<Page> {
    return this.#opened().visit(this.#url, options);
  }

  /** Waits until what it has to work out is there. */
  async untilForecast(): Promise<void> {
    await vi.waitFor(async () => {
      const page = await (await fetch(`${this.#url}metrics`)).text();
      expect(page).toContain('dbpm_account_forecast_cost{');
    }, patience);
  }

  #opened(): ConsoleBrowser {
    if (this.#browser === undefined) throw new Error('the browser is opened before the first test');
    return this.#browser;
  }
}
