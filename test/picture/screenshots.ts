import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConsoleBrowser } from '../e2e/console/console-browser.ts';
import { startProgram } from '../support/daemon-process.ts';
import { findPeer } from '../support/peer.ts';

const folder = new URL('../../docs/console/', import.meta.url).pathname;
const viewport = { width: 1400, height: 1000 };

/** What is drawn, by the name of its file: a page, or the first link on one. */
const pictures: Readonly<Record<string, { readonly page: string; readonly follow?: string }>> = {
  overview: { page: '/' },
  projects: { page: '/projects' },
  project: { page: '/findings', follow: 'main a:text-is("support-desk")' },
  cost: { page: '/cost' },
  findings: { page: '/findings' },
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
  for (const [name, { page: path, follow }] of Object.entries(pictures)) {
    await page.goto(path);
    if (follow !== undefined) await page.locator(follow).first().click();
    await page.screenshot({ path: `${folder}${name}.png` });
    process.stdout.write(`${folder}${name}.png is drawn\n`);
  }
} finally {
  await demo.stop('SIGTERM');
}
