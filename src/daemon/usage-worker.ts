import { flushCompileCache } from 'node:module';
import type { MessagePort } from 'node:worker_threads';
import type { ConsoleConfig } from '../console/console-config.ts';
import { ReportService } from '../console/report-cache/report-service.ts';
import type { Calculation } from '../report/usage-view/calculator.ts';
import type { UsageOptions } from '../report/usage-view/options.ts';
import { type UsageListeners, UsageWork } from '../report/usage-view/usage-work.ts';
import { Link } from '../thread/link.ts';

/** The settings that the thread is started with. */
export interface UsageThreadData {
  readonly options: UsageOptions;
  /** Leads to the one who shows what is worked out. */
  readonly shown: MessagePort;
  /** The configuration of the reports that the thread makes besides; absent where the console is off. */
  readonly reports?: ConsoleConfig;
}

/** The methods of the thread that works out use and cost. */
export interface UsageApi {
  /** Makes the reports that are asked for over a port. */
  serveReports(port: MessagePort): void;
}

/** The daemon as the thread tells it how the work goes. */
export type UsageThreadListeners = Omit<UsageListeners, 'onCalculated'>;

/** The one who shows use and cost, as the thread tells it each time what they are. */
export interface UsageDisplay {
  showUsage(calculation: Calculation): void;
}

/**
 * Works out use and cost, and makes the reports of the console in between: both need much the same code, which takes more
 * memory than what they work on. Without this thread readings, scrapes and pages would wait for seconds of a large fleet.
 */
export function serve(
  { options, shown, reports }: UsageThreadData,
  { tell }: Link<UsageThreadListeners>,
): UsageApi {
  const display = new Link<UsageDisplay>(shown);
  const work = new UsageWork(options, {
    onCalculated: calculation => display.tell.showUsage(calculation),
    onUnknown: () => tell.onUnknown(),
    onDone: () => tell.onDone(),
    onFailed: error => tell.onFailed(error),
  });
  const service = reports && new ReportService(reports, work);
  void work.run().then(flushCompileCache);
  return {
    serveReports(port) {
      if (service !== undefined) new Link<object>(port, () => service);
    },
  };
}
