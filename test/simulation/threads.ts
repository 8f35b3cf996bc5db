import * as history from '../../src/daemon/history-service.ts';
import * as usage from '../../src/daemon/usage-worker.ts';
import { serveThread, type ThreadModule } from '../../src/thread/worker.ts';
import { defineThread } from './in-process-worker.ts';

for (const [file, module] of Object.entries({ 'history-service.ts': history, 'usage-worker.ts': usage })) {
  // Each is given the data and the owner that its own client has.
  defineThread(file, (port, data) => serveThread(port, module as ThreadModule, data));
}
