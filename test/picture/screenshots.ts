import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConsoleBrowser } from '../e2e/console/console-browser.ts';
import { startProgram } from '../support/daemon-process.ts';
import { findPeer } from '../support/peer.ts';

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
  runbook: { page: '/help/alerts/DbpmOperationFailed' },
  project: { page: '/findings', follow: 'main a:text-is("support-desk")' },
  projects: { page: '/projects' },
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

const chromium = findPeer('chromium');
if (chromium === undefined) throw new Error('pictures are drawn by chromium (Debian package chromium)');
const demo = startProgram(['demo', '--web.listen-address', '127.0.0.1:0']);
try {
  const url = await demo.untilWritten('stdout', /Open the console: (http:\S+)/);
  while (!(await (await fetch(`${url}metrics`)).text()).includes('dbpm_account_forecast_cost{'))
    await sleep(500);
  for (const path of ['overview', 'projects'])
    while (await isPending(`${url}api/v1/${path}`)) await sleep(500);
  await using browser = await ConsoleBrowser.open(chromium);
  mkdirSync(folder, { recursive: true });
  const page = await browser.visit(url, { viewport, colorScheme: 'light' });
  const onPhone = await browser.visit(url, { viewport: phone, colorScheme: 'dark', deviceScaleFactor: 2 });
  for (const [name, { page: path, follow, isOnPhone = false }] of Object.entries(pictures)) {
    const visitor = isOnPhone ? onPhone : page;
    await visitor.goto(path);
    if (follow !== undefined) await visitor.locator(follow).first().click();
    while (await visitor.locator('main[aria-busy], :text("being worked out")').count()) await sleep(500);
    await visitor.screenshot({ path: `${folder}${name}.png` });
    process.stdout.write(`${folder}${name}.png is drawn\n`);
  }
} finally {
  await demo.stop('SIGTERM');
}
