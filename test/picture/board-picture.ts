import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { everything } from '../dashboards/board-expression.ts';
import { committedBoards } from '../dashboards/boards/committed-board.ts';
import type { ConsoleBrowser } from '../e2e/console/console-browser.ts';
import { startProgram } from '../support/daemon-process.ts';
import { findPeer } from '../support/peer.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';

const run = promisify(execFile);
const main = new URL('../../bin/dbpm-exporter.cjs', import.meta.url).pathname;
const source = new URL('board-page.jsx', import.meta.url).pathname;
const dayMs = 86_400_000;

/** What Grafana publishes for plugins. With all it needs it is half a gigabyte, so it is no dependency. */
const parts = [
  '@grafana/data@13.2.3',
  '@grafana/ui@13.2.2',
  '@fontsource/inter@5.3.0',
  'esbuild@0.28.2',
  'react@19.3.1',
  'react-dom@19.3.1',
];

/** The least width that all tables fit, and room for the longest board. */
const viewport = { width: 1600, height: 5000 };
const pictureWidth = 1400;
/** A picture ends before the first row of panels that goes further down. */
const usualHeight = 1880;

interface Choice {
  readonly from?: string;
  /** What is chosen besides all, by the name of the variable. */
  readonly chosen?: Readonly<Record<string, string>>;
  readonly mostHeight?: number;
}

const choices: Readonly<Record<string, Choice>> = {
  'dbpm-project': { chosen: { project: 'support-desk' }, mostHeight: 2040 },
  'dbpm-usage-cost': { chosen: { grouping: 'team' } },
  // What the daemon says of itself begins with its start.
  'dbpm-exporter': { from: 'now-5m' },
};

/** Draws the boards over the demo, with panels of Grafana and what a Prometheus answers that knows its past. */
export async function drawBoards(
  browser: ConsoleBrowser,
  draw: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-boards-'));
  stack.defer(() => rmSync(folder, { recursive: true }));
  await bundlePage(folder);
  const prometheus = await startWithPast(stack, join(folder, 'data'));
  const deviceScaleFactor = pictureWidth / viewport.width;
  const page = await browser.visit(prometheus.url, { viewport, deviceScaleFactor, colorScheme: 'light' });
  await servePage(page, folder);
  for (const { board } of committedBoards) {
    const { from, chosen = {}, mostHeight = usualHeight } = choices[board.uid] ?? {};
    const { project } = chosen;
    const shown = { ...board, ...(from && { time: { from, to: 'now' } }) };
    const values = { ...everything, ...chosen, ...(project && { project: await idOf(prometheus, project) }) };
    await page.setViewportSize(viewport);
    await page.goto('/grafana/');
    const call = [shown, values, chosen].map(value => JSON.stringify(value));
    const ends: readonly number[] = await page.evaluate(`drawBoard(${call})`);
    await page.waitForLoadState('networkidle');
    await sleep(2000);
    const height = Math.max(...ends.filter(end => end <= mostHeight));
    await page.setViewportSize({ ...viewport, height });
    await draw(page, board.uid.replace('dbpm-', 'board-'));
  }
}

async function bundlePage(folder: string): Promise<void> {
  await run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...parts]);
  const options = [
    ...['--bundle', '--minify', '--jsx=automatic', '--log-level=error', `--outdir=${folder}`],
    ...['--define:process.env.NODE_ENV="production"', '--loader:.svg=text', '--loader:.ttf=empty'],
  ];
  const env = { ...process.env, NODE_PATH: join(folder, 'node_modules') };
  await run(join(folder, 'node_modules/.bin/esbuild'), [source, ...options], { env });
}

/** Starts the demo and a Prometheus that scrapes it, and gives this one the eight days before. */
async function startWithPast(stack: AsyncDisposableStack, dataFolder: string): Promise<Prometheus> {
  const binary = findPeer('prometheus');
  if (binary === undefined) throw new Error('boards are drawn by Prometheus (Debian package prometheus)');
  const demo = startProgram(['demo', '--web.listen-address', '127.0.0.1:0']);
  stack.defer(async () => void (await demo.stop('SIGTERM')));
  const url = await demo.untilWritten('stdout', /Open the console: (http:\S+)/);
  const files = await demo.untilWritten('stdout', /report findings (--config\.file \S+ --history\.file \S+)/);
  while (!(await (await fetch(`${url}metrics`)).text()).includes('dbpm_account_forecast_cost{'))
    await sleep(500);
  const prometheus = await startPrometheus(
    binary,
    { dbpm: `${url}metrics` },
    { dataFolder, scrapeSeconds: 5 },
  );
  stack.defer(() => prometheus.close());
  const from = new Date(Date.now() - 8 * dayMs).toISOString();
  const range = ['--from', from, '--label', `instance=${new URL(url).host}`, '--blocks', dataFolder];
  await run(process.execPath, [main, 'export', ...files.split(' '), ...range]);
  while ((await prometheus.query('dbpm_project_info', Date.now() - 7 * dayMs)).length === 0)
    await sleep(1000);
  return prometheus;
}

/** Serves the page beside the answers of Prometheus, with the icons and the font of Grafana. */
async function servePage(page: Page, folder: string): Promise<void> {
  const files: readonly (readonly [RegExp, string])[] = [
    [/inter\/Inter-Medium/, 'node_modules/@fontsource/inter/files/inter-latin-500-normal.woff2'],
    [/inter\/Inter-/, 'node_modules/@fontsource/inter/files/inter-latin-400-normal.woff2'],
    [/build\/(img\/.*)/, 'node_modules/@grafana/ui/dist/public/$1'],
    [/(board-page\.\w+)/, '$1'],
  ];
  const body = `<!doctype html>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="board-page.css">
    <script>__grafana_public_path__ = '/grafana/'</script>
    <body style="margin: 0"><main></main><script src="board-page.js"></script>`;
  await page.route('/grafana/**', async route => {
    const path = new URL(route.request().url()).pathname.replace('/grafana/', '');
    const [pattern, file = ''] = files.find(([each]) => each.test(path)) ?? [];
    if (path === '') await route.fulfill({ body, contentType: 'text/html; charset=utf-8' });
    else if (pattern === undefined) await route.fulfill({ status: 404 });
    else await route.fulfill({ path: join(folder, (pattern.exec(path)?.[0] ?? '').replace(pattern, file)) });
  });
}

async function idOf(prometheus: Prometheus, project: string): Promise<string> {
  const [info] = await prometheus.query(`dbpm_project_info{project_name="${project}"}`);
  if (info?.labels.project_id === undefined) throw new Error(`the demo has no project ${project}`);
  return info.labels.project_id;
}
