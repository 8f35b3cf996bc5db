import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { ConsoleBrowser } from '../e2e/console/console-browser.ts';
import { firstStates } from '../e2e/console/first-state.ts';
import { startProgram } from '../support/daemon-process.ts';
import { findPeer } from '../support/peer.ts';
import { drawBoards } from './board-picture.ts';

const folder = new URL('../../docs/console/', import.meta.url).pathname;
const viewport = { width: 1400, height: 1000 };
const phone = { width: 390, height: 844 };

interface Picture {
  readonly page: string;
  /** The link on it whose page is drawn. */
  readonly follow?: string;
  readonly isOnPhone?: boolean;
}

/** What is drawn, by the name of its file, in the order of the tour. */
const pictures: Readonly<Record<string, Picture>> = {
  overview: { page: '/' },
  incident: { page: '/operations?status=failed', follow: 'main tr:has-text("checkout-prod") a' },
  project: { page: '/findings', follow: 'main a:text-is("support-desk")' },
  cost: { page: '/cost' },
  why: { page: '/cost', follow: 'main a:text-is("Why")' },
  findings: { page: '/findings' },
  keys: { page: '/keys' },
  phone: { page: '/', isOnPhone: true },
};

/** Whether figures of a page are still being worked out. */
async function isPending(url: string): Promise<boolean> {
  const {
    pending,
    spending,
  }: { readonly pending: readonly string[]; readonly spending?: { before: unknown } } = JSON.parse(
    await (await fetch(url)).text(),
  );
  return pending.length > 0 || spending?.before === null;
}

/** Draws the pages of the demo. */
async function drawDemo(browser: ConsoleBrowser): Promise<void> {
  const demo = startProgram(['demo', '--web.listen-address', '127.0.0.1:0']);
  try {
    const url = await demo.untilWritten('stdout', /Open the console: (http:\S+)/);
    while (!(await (await fetch(`${url}metrics`)).text()).includes('dbpm_account_forecast_cost{'))
      await sleep(500);
    for (const path of ['overview', 'projects'])
      while (await isPending(`${url}api/v1/${path}`)) await sleep(500);
    const page = await browser.visit(url, { viewport, colorScheme: 'light' });
    const onPhone = await browser.visit(url, { viewport: phone, colorScheme: 'dark', deviceScaleFactor: 2 });
    for (const [name, { page: path, follow, isOnPhone = false }] of Object.entries(pictures)) {
      const visitor = isOnPhone ? onPhone : page;
      await visitor.goto(path);
      if (follow !== undefined) await visitor.locator(follow).first().click();
      while (await visitor.locator('main[aria-busy], :text("being worked out")').count()) await sleep(500);
      await draw(visitor, name);
    }
  } finally {
    await demo.stop('SIGTERM');
  }
}

/** Where a state shows best; on the overview unless told. */
const statePages: Readonly<Partial<Record<keyof typeof firstStates, string>>> = {
  'no-prices': '/cost',
  'no-findings': '/findings',
  shard: '/keys',
};
const stateViewport = { width: 1200, height: 460 };

/** Draws the first states, each with a daemon of its own that is in it. */
async function drawStates(browser: ConsoleBrowser): Promise<void> {
  for (const [name, open] of Object.entries(firstStates)) {
    await using stack = new AsyncDisposableStack();
    const { url } = await open(stack);
    await untilFigures(url);
    const page = await browser.visit(url, { viewport: stateViewport, colorScheme: 'light' });
    stack.defer(() => page.close());
    await page.goto(statePages[name as keyof typeof firstStates] ?? '/');
    await draw(page, `state-${name}`);
  }
}

/** Until the figures are there that can be, and it is known which cannot. */
async function untilFigures(url: string): Promise<void> {
  for (let left = 120; left > 0; left -= 1) {
    const overview = (await (await fetch(`${url}/api/v1/overview`)).json()) as Overview;
    const { pending, rests_on } = overview;
    if (rests_on !== null && (pending.length === 0 || !rests_on.is_whole)) return;
    await sleep(500);
  }
}

interface Overview {
  readonly pending: readonly string[];
  readonly rests_on: { readonly is_whole: boolean } | null;
}

async function draw(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${folder}${name}.png` });
  process.stdout.write(`${folder}${name}.png is drawn\n`);
}

const chromium = findPeer('chromium');
if (chromium === undefined) throw new Error('pictures are drawn by chromium (Debian package chromium)');
mkdirSync(folder, { recursive: true });
await using browser = await ConsoleBrowser.open(chromium);
const [only] = process.argv.slice(2);
const drawings = { demo: drawDemo, states: drawStates, boards: () => drawBoards(browser, draw) };
for (const [name, drawAll] of Object.entries(drawings))
  if (only === undefined || only === name) await drawAll(browser);
