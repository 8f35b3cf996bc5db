import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../src/history/file/database.ts';
import { HistoryError } from '../../src/history/file/history-error.ts';
import { startAt } from './reading-builder.ts';

interface RecorderOptions {
  /** What runs it, with its arguments; the command of the recorder comes after them. */
  readonly command?: readonly string[];
  /** Of the projects that it records. */
  readonly ids?: readonly string[];
}

/** A daemon: a process of its own that keeps recording, each time that its projects used a second more, beginning with 70. */
export class Recorder {
  readonly #child: ChildProcess;
  readonly #stderr: Promise<string>;
  readonly exited: Promise<unknown>;

  constructor(file: string, { command = [], ids = ['p'] }: RecorderOptions = {}) {
    const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const script = `
      const { History } = await import(${module('../../src/history/history.ts')});
      const { projectsReading, wireProject } = await import(${module('./reading-builder.ts')});
      const history = new History({ file: ${JSON.stringify(file)}, accounts: ['main'], collectors: ['projects'], staleAfterMs: 1, dropAfterMs: 1 });
      let second = 0;
      const record = () => {
        history.commitOne(projectsReading(${startAt} + second * 60_000, ${JSON.stringify(ids)}.map(id => wireProject(id, { cpu_used_sec: 70 + second }))));
        second += 1;
        console.log(second);
      };
      record();
      process.stdin.on('data', record);
    `;
    const [program = '', ...args] = [...command, process.execPath, '--input-type=module', '-e', script];
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.exited = once(this.#child, 'exit');
    this.#stderr = this.#child.stderr === null ? Promise.resolve('') : text(this.#child.stderr);
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  /** Waits until it recorded again. */
  async recorded(): Promise<void> {
    if (this.#child.stdout) await once(this.#child.stdout, 'data');
  }

  /** Has it record once more. */
  async record(): Promise<void> {
    this.#child.stdin?.write('again\n');
    await this.recorded();
  }

  /** Has it record once more, and gives what it wrote as it ended by that. */
  async end(): Promise<string> {
    this.#child.stdin?.write('again\n');
    await this.exited;
    return this.#stderr;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}

export async function startRecorder(file: string, options?: RecorderOptions): Promise<Recorder> {
  const recorder = new Recorder(file, options);
  await recorder.recorded();
  return recorder;
}

/** Why a history cannot be opened, with FILE in the place of its path; `none` where it can. */
export function refusalOf(file: string): string {
  try {
    openDatabase(file).close();
  } catch (error) {
    if (error instanceof HistoryError) return error.message.replaceAll(file, 'FILE');
    throw error;
  }
  return 'none';
}
