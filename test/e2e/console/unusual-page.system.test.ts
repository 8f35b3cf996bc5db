import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { projectsReading, startAt, wireProject } from '../../support/reading-builder.ts';
import { ConsoleBrowser, findFaults } from './console-browser.ts';
import { type ServeOptions, serveConsole } from './served-console.ts';

const long = 'x'.repeat(300);
const everywhere = [
  '/',
  '/projects',
  '/cost',
  '/cost/invoice',
  '/cost/why',
  '/findings',
  '/operations',
  '/keys',
  '/health',
];
/** Addresses by the console that answers them, with the status that they have. */
const unusual = {
  whole: [
    [404, ['/nowhere', `/${long}`, '/projects/main/no-such-project', `/projects/main/${long}`]],
    [
      400,
      [
        '/keys?sort=colour',
        `/projects?nonsense=${long}`,
        `/cost?period=${long.slice(0, 150)}`,
        '/projects/main/p1?from=2020-01-01&until=2026-01-01',
      ],
    ],
  ],
  empty: [[200, everywhere]],
  broken: [[503, ['/projects', '/findings', '/operations']]],
  slow: [[202, ['/findings', '/cost/invoice', '/cost/why']]],
} as const;
type Kind = keyof typeof unusual;

describeWithPeers(['chromium'], 'a page of what is wrong, missing or still to come', ({ chromium }) => {
  const folder = new HistoryFolder();
  const served = new Map<Kind, string>();
  const ends: (() => void)[] = [];
  let browser: ConsoleBrowser;

  async function serve(kind: Kind, file: string, options: Partial<ServeOptions> = {}): Promise<void> {
    const shown = await openConsole({ file, now: startAt, yaml, isWorkedOut: kind !== 'broken' });
    if (kind === 'broken') writeFileSync(file, 'no history'.repeat(1000));
    const { url, close } = await serveConsole(shown, { now: startAt, ...options });
    served.set(kind, url);
    ends.push(close, shown.close);
  }

  beforeAll(async () => {
    const history = folder.open();
    history.commitOne(projectsReading(startAt, [wireProject('p1')]));
    folder.close(history);
    await serve('whole', folder.file);
    await serve('empty', `${folder.path}/none.sqlite`);
    await serve('broken', `${folder.path}/broken.sqlite`);
    const never = () => new Promise<never>(() => {});
    await serve('slow', folder.file, {
      patienceMs: 50,
      reports: { ask: never, askTogether: never, askSoon: never, projects: never },
    });
    browser = await ConsoleBrowser.open(chromium);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    for (const end of ends) end();
    folder[Symbol.dispose]();
  });

  test.each(Object.keys(unusual) as Kind[])(
    'where it is %s has no barrier, no wider content than the window, and a way on',
    async kind => {
      const faults: Record<string, readonly string[]> = {};
      const page = await browser.visit(served.get(kind) ?? '');
      for (const [status, addresses] of unusual[kind]) {
        for (const address of addresses) {
          const response = await page.goto(address);
          const links = await page.locator('nav a[href="/projects"]').count();
          const all = [
            ...(response?.status() === status ? [] : [`it is answered ${response?.status()}`]),
            ...(await findFaults(page)),
            ...(links > 0 ? [] : ['it leads nowhere']),
          ];
          if (all.length > 0) faults[address.slice(0, 60)] = all;
        }
      }
      await page.close();
      expect(faults).toEqual({});
      // A browser tells of every answer that is an error, as these are meant to be.
      const meant = /: (400|404|503)$|the server responded with a status of (400|404|503)/;
      expect(browser.complaints.filter(complaint => !meant.test(complaint))).toEqual([]);
    },
    240_000,
  );
});

const yaml =
  'pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]}';
