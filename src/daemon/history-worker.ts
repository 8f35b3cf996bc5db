import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { HistoryError } from '../history/file/history-error.ts';
import { packError } from '../thread/sent-error.ts';
import type { HistoryEvent, HistoryRequest } from './history-message.ts';
import { HistoryService } from './history-service.ts';
import { StandbyService } from './standby-service.ts';

function post(event: HistoryEvent, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(event, [...transferred]);
}

/**
 * Runs the history and the page over it in a thread of their own: a disk that is slow to commit, rendering and
 * compression then hold up neither a scrape nor a request to the service.
 */
function start(): void {
  try {
    const service = workerData.isStandby
      ? new StandbyService(workerData, post)
      : new HistoryService(workerData, post);
    parentPort?.on('message', async (request: HistoryRequest) => {
      if (request.kind !== 'close') return service.serve(request);
      await service.close();
      parentPort?.close();
    });
    service.open();
    service.keepUp();
    flushCompileCache();
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    post({ kind: 'refused', error: packError(error) });
    parentPort?.close();
  }
}

start();
