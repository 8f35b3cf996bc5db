import type { SelfFamily } from './self-family.ts';

/** The default metrics of prom-client that boards and rules may rely on. */
export const processFamilies = {
  cpuSeconds: {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'CPU time this process used.',
    labels: [],
  },
  residentMemory: {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Memory of this process that is in RAM.',
    labels: [],
  },
  heapUsed: {
    name: 'nodejs_heap_size_used_bytes',
    type: 'gauge',
    help: 'Memory used by JavaScript objects.',
    labels: [],
  },
  openFileDescriptors: {
    name: 'process_open_fds',
    type: 'gauge',
    help: 'Open files and sockets.',
    labels: [],
  },
  startTime: {
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'When this process started.',
    labels: [],
  },
} as const satisfies Record<string, SelfFamily>;
