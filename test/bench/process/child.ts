import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BenchRun } from '../bench-run.ts';
import type { Answer, Question, Tasks } from './task.ts';

/** A process with a heap of its own that does one task at a time. */
export interface Child<Known extends Tasks> {
  readonly ask: <Name extends keyof Known & string>(
    task: Name,
    ...input: Parameters<Known[Name]>
  ) => Promise<Awaited<ReturnType<Known[Name]>>>;
  /** Ends it before the run does. */
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a program of `test/bench/program`; it ends with the run.
 *
 * @param program the name of its file without the extension.
 * @param heapMebibytes how much it may keep, where that is more than usual.
 */
export function startChild<Known extends Tasks>(
  run: BenchRun,
  program: string,
  heapMebibytes?: number,
): Child<Known> {
  const file = fileURLToPath(new URL(`../program/${program}.ts`, import.meta.url));
  const execArgv = heapMebibytes === undefined ? [] : [`--max-old-space-size=${heapMebibytes}`];
  const child = fork(file, { serialization: 'advanced', execArgv, stdio: ['ignore', 2, 2, 'ipc'] });
  running.add(child);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  child.on('message', message => {
    const { id, answer, error } = message as Answer;
    if (error === undefined) waiting.get(id)?.resolve(answer);
    else waiting.get(id)?.reject(new Error(`${program}: ${error}`));
    waiting.delete(id);
  });
  const exited = once(child, 'exit').then(([code, signal]) => {
    running.delete(child);
    for (const { reject } of waiting.values())
      reject(new Error(`${program} ended (${code ?? signal}) before it answered`));
  });
  const stop = () => {
    child.kill('SIGKILL');
    return exited;
  };
  run.onEnd(stop);
  let asked = 0;
  return {
    ask(task, input?: unknown) {
      asked += 1;
      const answered = Promise.withResolvers<unknown>();
      waiting.set(asked, answered);
      child.send({ id: asked, task, input } satisfies Question, error => error && answered.reject(error));
      return answered.promise as ReturnType<Child<Known>['ask']>;
    },
    stop,
  };
}
