import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchRun } from '../bench-run.ts';

/** What a child process can be asked to do; every argument and answer is cloned on its way. */
type Tasks = Readonly<Record<string, (input: never) => unknown>>;

/** A process with a heap of its own that does one task at a time. */
export interface Child<Known extends Tasks> {
  readonly ask: <Name extends keyof Known & string>(
    task: Name,
    ...input: Parameters<Known[Name]>
  ) => Promise<Awaited<ReturnType<Known[Name]>>>;
  /** Ends it before the run does. */
  stop(): Promise<void>;
}

interface Question {
  readonly id: number;
  readonly task: string;
  readonly input: unknown;
}

interface Answer {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a program that serves tasks; it ends with the run.
 *
 * @param program the name of a file of `test/bench/program` without the extension, or the address of a file of its own: a
 *   benchmark that has a program to itself is that program too, when it is the one that was started.
 * @param heapMebibytes how much it may keep, where that is more than usual.
 */
export function startChild<Known extends Tasks>(
  run: BenchRun,
  program: string,
  heapMebibytes?: number,
): Child<Known> {
  const isAddress = program.startsWith('file:');
  const file = fileURLToPath(isAddress ? program : new URL(`../program/${program}.ts`, import.meta.url));
  const name = basename(file, '.ts');
  const execArgv = heapMebibytes === undefined ? [] : [`--max-old-space-size=${heapMebibytes}`];
  const child = fork(file, { serialization: 'advanced', execArgv, stdio: ['ignore', 2, 2, 'ipc'] });
  running.add(child);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  child.on('message', message => {
    const { id, answer, error } = message as Answer;
    if (error === undefined) waiting.get(id)?.resolve(answer);
    else waiting.get(id)?.reject(new Error(`${name}: ${error}`));
    waiting.delete(id);
  });
  const exited = once(child, 'exit').then(([code, signal]) => {
    running.delete(child);
    for (const { reject } of waiting.values())
      reject(new Error(`${name} ended (${code ?? signal}) before it answered`));
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

/** Makes this process do tasks for the one that started it, and end with it. */
export function serveTasks(tasks: Tasks): void {
  process.once('disconnect', () => process.exit());
  process.on('message', async ({ id, task, input }: Question) => {
    process.send?.(await answerQuestion(tasks, { id, task, input }));
  });
}

async function answerQuestion(tasks: Tasks, { id, task, input }: Question): Promise<Answer> {
  try {
    return { id, answer: await tasks[task]?.(input as never) };
  } catch (error) {
    return { id, error: error instanceof Error ? `${error.stack}` : String(error) };
  }
}
