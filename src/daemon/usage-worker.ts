import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { ReportService } from '../console/desk/report-service.ts';
import { UsageWork } from '../report/usage/usage-work.ts';
import type { UsageThreadData } from './usage-client.ts';

const { usage, reports }: UsageThreadData = workerData;

/**
 * Works out use and cost in a thread of its own, and makes the reports of the console in between: both need much the same code,
 * which takes more memory than what they work on.
 */
const work = new UsageWork(usage, event => parentPort?.postMessage(event));
if (reports !== undefined) new ReportService(reports, history => work.view(history));
await work.run();
flushCompileCache();
