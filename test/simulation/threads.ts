import type { HistoryEvent, HistoryRequest, HistoryWorkerOptions } from '../../src/daemon/history-message.ts';
import { HistoryService } from '../../src/daemon/history-service.ts';
import { StandbyService } from '../../src/daemon/standby-service.ts';
import { HistoryError } from '../../src/history/file/history-error.ts';
import { packError } from '../../src/thread/sent-error.ts';
import { defineThread, type InProcessPort } from './in-process-worker.ts';

defineThread('history-worker.ts', startHistory);

/** As `history-worker.ts` does it. */
async function startHistory(
  options: HistoryWorkerOptions,
  port: InProcessPort,
  exit: () => void,
): Promise<void> {
  const post = (event: HistoryEvent) => port.postMessage(event);
  try {
    const service = options.isStandby ? new StandbyService(options, post) : new HistoryService(options, post);
    port.on('message', (request: HistoryRequest) => {
      if (request.kind !== 'close') return service.serve(request);
      void service.close().then(exit);
    });
    service.open();
    service.keepUp();
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    post({ kind: 'refused', error: packError(error) });
    exit();
  }
}
