import { parentPort, workerData } from 'node:worker_threads';
import { serveThread } from './worker.ts';

const { module, data } = workerData;
if (parentPort !== null) serveThread(parentPort, await import(module), data);
