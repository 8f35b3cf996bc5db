import type DatabaseClass from 'better-sqlite3';
import { vi } from 'vitest';
import { Life } from './life.ts';

/** A setup file: threads, connections and open databases of a simulated daemon are parts of its life. */
vi.mock('node:worker_threads', async () => {
  const { InProcessChannel, InProcessPort, InProcessWorker } = await import('./in-process-worker.ts');
  return { Worker: InProcessWorker, MessageChannel: InProcessChannel, MessagePort: InProcessPort };
});

vi.mock('../../src/api/transport/connections.ts', async () => {
  const { VirtualConnections } = await import('./virtual-service.ts');
  return { Connections: VirtualConnections };
});

vi.mock('better-sqlite3', async original => {
  const { default: Database } = await original<{ default: typeof DatabaseClass }>();
  class LivingDatabase extends Database {
    constructor(file: string, options: DatabaseClass.Options = {}) {
      const life = Life.current;
      const isWritten = options.readonly !== true && !file.endsWith('.lock');
      super(file, life && isWritten ? { ...options, verbose: () => life.noteStatement() } : options);
      life?.onEnd(() => this.#end());
    }

    /** In the midst of a statement a database cannot be closed, but right after it. */
    #end(): void {
      try {
        this.close();
      } catch {
        queueMicrotask(() => this.close());
      }
    }
  }
  return { default: LivingDatabase };
});
