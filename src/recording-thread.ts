import { parentPort, workerData } from 'node:worker_threads';
import { History } from './history/history.ts';
import { HistoryError } from './history/history-error.ts';
import { Publisher } from './metrics/publisher.ts';
import type {
  KnownAccount,
  RecordedMessage,
  RecordingEvent,
  RecordingOptions,
  RecordingRequest,
} from './recording-message.ts';

/**
 * The thread that keeps the history and renders the page over it: disks that are slow to commit, rendering and
 * compression then hold up neither a scrape nor a request to the service.
 */
function run(options: RecordingOptions): void {
  const history = open(options);
  if (history === undefined) return;
  const publisher = new Publisher({
    publish: () => post(publication(history)),
    onError: error => post({ kind: 'unpublished', error }),
  });
  publisher.publish();
  post({ kind: 'opened', accounts: options.accounts.map(account => knownAccount(history, account)) });
  parentPort?.on('message', (request: RecordingRequest) => {
    if (request.kind === 'record') {
      post({ kind: 'recorded', results: record(history, request) });
      publisher.request();
    } else {
      publisher.stop();
      history.close();
      parentPort?.close();
    }
  });
}

run(workerData);
