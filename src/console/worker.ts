import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { secondMs } from '../resources/duration.ts';
import { giveBackGarbage, giveBackQuickly } from '../usage/garbage.ts';
import { ViewReceiver } from '../usage/view-channel.ts';
import { Console } from './console.ts';
import { FleetDesk } from './desk/fleet-desk.ts';
import { RenewalPace } from './desk/renewal-pace.ts';
import { ReportDesk } from './desk/report-desk.ts';
import { ReportThread } from './desk/report-thread.ts';
import type { LiveState } from './live-state.ts';
import type { ConsoleEvent, ConsoleMessage, ConsoleRequest, ConsoleWorkerData } from './message.ts';
import { figuresOf } from './page/fleet/sheet/fleet-figure.ts';
import { openBrowser } from './shown-history.ts';

const { config, version, viewChannel, reportChannel }: ConsoleWorkerData = workerData;

const views = new ViewReceiver(viewChannel);
const thread = new ReportThread({ channel: reportChannel, onHang: () => post({ reportsHang: true }) });
const pace = new RenewalPace();
const reports = new ReportDesk(
  (kind, options, now, isAwaited, signal) => thread.make(kind, options, now, isAwaited, signal),
  pace,
);
const fleet = new FleetDesk(
  {
    take: (name, now) => thread.take(name, now),
    async join(shown, figures) {
      const sheet = await thread.join(shown, figures);
      // The one before has megabytes.
      giveBackQuickly();
      return sheet;
    },
    onFailure: failure => post({ failure }),
  },
  figuresOf(config),
  pace,
);
const sources = {
  config,
  history: openBrowser(config),
  reports,
  fleet,
  usage: () => views.view,
};
const console = new Console({ sources, version });

/** The first reader would see no forecasts and budgets, though they are known. */
const longestViewWaitMs = 1000;
const ready = Promise.race([views.told, sleep(longestViewWaitMs)]);

let wasImporting = false;

/** A report from the time of an import lacks what was imported since. */
function followImport({ overviews }: LiveState): void {
  const isImporting = overviews.some(({ summary }) => summary.importsLeft !== 0);
  if (wasImporting && !isImporting) for (const desk of [reports, fleet]) desk.renewAll();
  wasImporting = isImporting;
}

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
  await ready;
  followImport(live);
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
