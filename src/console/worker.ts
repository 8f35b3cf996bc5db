import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { HistoryBrowser } from '../history/browse/history-browser.ts';
import { giveBackGarbage, giveBackQuickly } from '../report/usage/garbage.ts';
import { secondMs } from '../resources/duration.ts';
import { Console } from './console.ts';
import { shownFileOf } from './console-config.ts';
import { FleetDesk } from './desk/fleet-desk.ts';
import { ReportDesk } from './desk/report-desk.ts';
import { ReportThread } from './desk/report-thread.ts';
import type { ConsoleEvent, ConsoleMessage, ConsoleRequest, ConsoleWorkerData } from './message.ts';

const { config, version, reportChannel }: ConsoleWorkerData = workerData;

const thread = new ReportThread({ channel: reportChannel, onHang: () => post({ reportsHang: true }) });
const reports = new ReportDesk((question, now, signal) => thread.make(question, now, signal));
const fleet = new FleetDesk(
  async (asked, signal) => {
    const fleet = await thread.projects(asked, signal);
    // The one before has megabytes.
    giveBackQuickly();
    return fleet;
  },
  failure => post({ failure }),
);
const sources = {
  config,
  history: new HistoryBrowser(shownFileOf(config)),
  reports,
  fleet,
};
const console = new Console({ sources, version });

/** Pages leave garbage behind: some of it is given back from time to time, and the rest when nobody asks any more. */
const giveBackEveryMs = 5 * secondMs;
const restMs = 2 * secondMs;
let gaveBackAt = 0;
let resting: NodeJS.Timeout | undefined;

function giveBackAfterPages(): void {
  clearTimeout(resting);
  resting = setTimeout(giveBackGarbage, restMs).unref();
  const now = performance.now();
  if (now - gaveBackAt < giveBackEveryMs) return;
  gaveBackAt = now;
  giveBackQuickly();
}

/** The readers whose questions are being answered. */
const readers = new Map<number, AbortController>();
/** Whoever was told to ask again has done so by then, or has gone. */
const comesBackMs = 30 * secondMs;

/** Makes pages in a thread of its own: neither a scrape nor the polling waits for one. */
parentPort?.on('message', (message: ConsoleMessage) => {
  if ('gone' in message) readers.get(message.gone)?.abort();
  else void answer(message);
});

async function answer({ id, question, live }: ConsoleRequest): Promise<void> {
  const reader = new AbortController();
  readers.set(id, reader);
  let failure: unknown;
  const onFailure = (error: unknown) => {
    failure = error;
  };
  const answer = await console.answer(question, live, onFailure, reader.signal);
  readers.delete(id);
  setTimeout(() => reader.abort(), comesBackMs).unref();
  // A report that is dropped is no failure.
  post({ id, answer, ...(failure !== undefined && !reader.signal.aborted && { failure }) });
  giveBackAfterPages();
}

function post(event: ConsoleEvent): void {
  parentPort?.postMessage(event);
}

// A later thread need not compile what this one did, which would take it longer and twice the memory.
flushCompileCache();
