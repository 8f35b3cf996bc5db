import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One run of one benchmark: what it starts and writes lives as long as the run. */
export class BenchRun {
  readonly remarks: string[] = [];
  readonly #closers: (() => Promise<unknown> | unknown)[] = [];
  #ending: Promise<void> | undefined;

  /** A line under the table: a baseline that was left out and why, or what a figure means. */
  remark(line: string): void {
    if (!this.remarks.includes(line)) this.remarks.push(line);
  }

  /** What was opened last is closed first. */
  onEnd(close: () => Promise<unknown> | unknown): void {
    this.#closers.unshift(close);
  }

  /** A temporary folder. */
  openFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'dbpm-bench-'));
    this.onEnd(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  /** Closes all that was opened, whatever of it cannot be closed; settles when all is, however often it is called. */
  end(): Promise<void> {
    this.#ending ??= this.#closeAll();
    return this.#ending;
  }

  async #closeAll(): Promise<void> {
    for (let close = this.#closers.shift(); close !== undefined; close = this.#closers.shift()) {
      try {
        await close();
      } catch (error) {
        this.remark(`left behind: ${String(error)}`);
      }
    }
  }
}
