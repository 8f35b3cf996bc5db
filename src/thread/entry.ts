import { parentPort, workerData } from 'node:worker_threads';
import { runThread } from './worker.ts';

if (parentPort !== null) await runThread(parentPort, workerData);
