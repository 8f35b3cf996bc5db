import { flushCompileCache } from 'node:module';
import type { MessagePort } from 'node:worker_threads';
import { HistoryBrowser } from '../history/browse/history-browser.ts';
import type { MadePage } from '../http/console-answer.ts';
import { secondMs } from '../resources/duration.ts';
import { giveBackGarbage, giveBackQuickly } from '../thread/garbage.ts';
import type { Link } from '../thread/link.ts';
import { lowerPriority, niceness } from '../thread/priority.ts';
import { Console } from './console.ts';
import { type ConsoleConfig, shownFileOf } from './console-config.ts';
import type { LiveState } from './live-state.ts';
import type { PageQuestion } from './page.ts';
import { ReportCache } from './report-cache/report-cache.ts';
import { ReportThread } from './report-cache/report-thread.ts';

/** The settings that the console's thread is started with. */
export interface ConsoleThreadData {
  readonly config: ConsoleConfig;
  readonly version: string;
  /** Leads to the thread that makes reports. */
  readonly reports: MessagePort;
}

/** The methods of the console's thread. */
export interface ConsoleApi {
  /** @param gone aborted when the reader waits no longer. */
  answer(question: PageQuestion, live: LiveState, gone: AbortSignal): Promise<MadePage>;
  /** Has reports made by another thread, as the one before ended. */
  useReports(port: MessagePort): void;
}

/** The owner of the console's thread, as that tells it things. */
export interface ConsoleListeners {
  /** Told of each page that could be made. */
  onAnswered(): void;
  /** Told why a page could not be made, or figures on one. */
  onFailed(error: unknown): void;
  /** The thread that makes reports hangs. */
  onReportsHang(): void;
}

/** Pages leave garbage behind: some of it is given back from time to time, and the rest when no one asks any more. */
const giveBackEveryMs = 2 * secondMs;
const restMs = 2 * secondMs;
/** By then every reader has asked again, or has gone. */
const comesBackMs = 30 * secondMs;

/** Pages and lists of all projects. Without a thread of their own, scrapes and the polling would wait for each page. */
export function serve(
  { config, version, reports: port }: ConsoleThreadData,
  { tell }: Link<ConsoleListeners>,
): ConsoleApi {
  lowerPriority(niceness.pages);
  const thread = new ReportThread({ onHang: () => tell.onReportsHang() });
  thread.use(port);
  const reports = new ReportCache(
    {
      make: (question, now, signal) => thread.make(question, now, signal),
      async projects(now, withFigures, signal) {
        const index = await thread.projects(now, withFigures, signal);
        // The one before has megabytes.
        giveBackQuickly();
        return index;
      },
    },
    failure => tell.onFailed(failure),
  );
  const history = new HistoryBrowser(shownFileOf(config));
  const console = new Console({ sources: { config, history, reports }, version });
  const giveBack = giveBackAfterPages();
  // A later thread need not compile what this one did, which would take it longer and twice the memory.
  setImmediate(flushCompileCache);
  return {
    useReports: port => thread.use(port),
    async answer(question, live, gone) {
      const reader = new AbortController();
      gone.addEventListener('abort', () => reader.abort(), { once: true });
      let failure: unknown;
      const onFailure = (error: unknown) => {
        failure = error;
      };
      const answer = await console.answer(question, live, onFailure, reader.signal);
      setTimeout(() => reader.abort(), comesBackMs).unref();
      // A report that is dropped is no failure.
      if (failure === undefined || gone.aborted) tell.onAnswered();
      else tell.onFailed(failure);
      setImmediate(giveBack);
      return answer;
    },
  };
}

function giveBackAfterPages(): () => void {
  let gaveBackAt = 0;
  let resting: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(resting);
    resting = setTimeout(giveBackGarbage, restMs).unref();
    const now = performance.now();
    if (now - gaveBackAt < giveBackEveryMs) return;
    gaveBackAt = now;
    giveBackQuickly();
  };
}
