import { createServer } from 'node:http';
import { answerAsset } from '../../../src/console/asset.ts';
import { Console } from '../../../src/console/console.ts';
import type { ConsoleSources } from '../../../src/console/page.ts';
import { answerConsole } from '../../../src/http/console-answer.ts';
import { listenOnLoopback } from '../../support/loopback-server.ts';
import type { openConsole } from '../../support/open-console.ts';

type OpenConsole = Awaited<ReturnType<typeof openConsole>>;

interface ServedConsole {
  readonly url: string;
  readonly close: () => void;
}

/** Serves the pages of a console at an instant to a browser. */
export async function serveConsole(
  { sources }: OpenConsole,
  { now, patienceMs = 60_000, reports = sources.reports }: ServeOptions,
): Promise<ServedConsole> {
  const console = new Console({ sources: { ...sources, reports }, version: '1.2.3', patienceMs });
  const live = {
    now,
    startedAt: now,
    overviews: [],
    accounts: [],
    problems: [],
    stalled: [],
    historySizeBytes: 0,
  };
  const server = createServer((request, response) => {
    void answerConsole(
      request => {
        const question = { ...request, showsPersonal: false };
        return answerAsset(question) ?? console.answer(question, live);
      },
      request,
      response,
    );
  });
  const { url, close } = await listenOnLoopback(server);
  return { url, close };
}

export interface ServeOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly patienceMs?: number;
  /** In place of those of the console, such as some that take long. */
  readonly reports?: ConsoleSources['reports'];
}
