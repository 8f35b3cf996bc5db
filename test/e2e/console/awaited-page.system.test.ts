import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerAsset } from '../../../src/console/asset.ts';
import { Console } from '../../../src/console/console.ts';
import { answerConsole } from '../../../src/http/console-answer.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { projectsReading, startAt, wireProject } from '../../support/reading-builder.ts';
import { ConsoleBrowser } from './console-browser.ts';

describeWithPeers(['chromium'], 'a page that takes long', ({ chromium }) => {
  const folder = new HistoryFolder();
  const live = { now: startAt, startedAt: startAt, overviews: [], accounts: [], problems: [], stalled: [] };
  /** Reports wait for it. */
  let ready = Promise.withResolvers<void>();
  let shown: Awaited<ReturnType<typeof openConsole>>;
  let browser: ConsoleBrowser;
  let url: string;
  const server = createServer((request, response) => void answerConsole(answer, request, response));
  const answer: Parameters<typeof answerConsole>[0] = async request => {
    const question = { ...request, showsPersonal: false };
    const asset = await answerAsset(question);
    if (asset !== undefined) return asset;
    const { sources } = shown;
    const askTogether: typeof sources.reports.askTogether = async question => {
      await ready.promise;
      return sources.reports.askTogether(question);
    };
    const ask = sources.reports.ask.bind(sources.reports);
    const askSoon = sources.reports.askSoon.bind(sources.reports);
    const projects = sources.reports.projects.bind(sources.reports);
    const reports = { ask, askTogether, askSoon, projects };
    const slow = new Console({ sources: { ...sources, reports }, version: '1.2.3', patienceMs: 200 });
    return slow.answer(question, { ...live, historySizeBytes: 0 });
  };

  beforeAll(async () => {
    const history = folder.open();
    history.commitOne(projectsReading(startAt, [wireProject('p1')]));
    folder.close(history);
    shown = await openConsole({ file: folder.file, now: startAt });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await ConsoleBrowser.open(chromium);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    server.close();
    shown.close();
    folder[Symbol.dispose]();
  });

  test.each([true, false])(
    'says that it is being worked out, and comes by itself (scripts: %s)',
    async scripts => {
      ready = Promise.withResolvers<void>();
      const page = await browser.visit(url, { javaScriptEnabled: scripts });
      await page.goto('/findings');
      expect(await page.getByText('This is being worked out.').count()).toBe(1);
      expect(await page.locator('nav [aria-current]').innerText()).toBe('Savings');
      ready.resolve();
      await page.getByText('Likely saved a month').waitFor();
      expect(await page.getByText('This is being worked out.').count()).toBe(0);
      await page.close();
      expect(browser.complaints).toEqual([]);
    },
    90_000,
  );
});
