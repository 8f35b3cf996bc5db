import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { allocator, compileCache } from './probed-daemon.ts';

/** Resident bytes of processes that do nothing. */
export interface IdleMemory {
  readonly node: number;
  /** With what the daemon loads, and its two threads with what they load. */
  readonly loaded: number;
  /** With a thread besides that has nothing to run. */
  readonly emptyThread: number;
  /** With what the thread of the console loads instead, and what the thread of use loads for reports. */
  readonly console: number;
}

const source = new URL('../../../src/', import.meta.url).href;
const history = ['daemon/history-service.ts'];
const use = ['report/usage-view/calculator.ts'];
const settledMs = 500;
const tell = `setTimeout(() => { console.log(process.memoryUsage.rss()); process.exit(); }, ${settledMs})`;

/** What no daemon of this make can be smaller than, and what no console of this make can add less than. */
export async function measureIdleMemory(): Promise<IdleMemory> {
  const [node, loaded, emptyThread, console] = await Promise.all([
    run(tell),
    run(load([history, use])),
    run(load([history, use, []])),
    run(load([history, [...use, 'console/report-cache/report-maker.ts'], ['console/console.ts']])),
  ]);
  return { node, loaded, emptyThread, console };
}

/** A program that loads the daemon, and threads that load these modules. */
function load(threads: readonly (readonly string[])[]): string {
  return `
    const { Worker } = require('node:worker_threads');
    const { once } = require('node:events');
    require('node:v8').setFlagsFromString('--optimize-for-size');
    const load = path => import(${JSON.stringify(source)} + path);
    const start = paths => once(new Worker(
      'const { parentPort, workerData } = require("node:worker_threads");' +
      'parentPort.on("message", () => {});' +
      'Promise.all(workerData.map(path => import(path))).then(() => parentPort.postMessage(""));',
      {
        eval: true,
        workerData: paths.map(path => ${JSON.stringify(source)} + path),
        resourceLimits: { maxYoungGenerationSizeMb: 8 },
      },
    ), 'message');
    load('daemon/daemon.ts')
      .then(() => Promise.all(${JSON.stringify(threads)}.map(start)))
      .then(() => ${tell});
  `;
}

async function run(program: string): Promise<number> {
  const env = { ...process.env, ...allocator, NODE_COMPILE_CACHE: compileCache };
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program], { env });
  return Number(stdout);
}
