import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkConfigCommand } from '../../../src/cli/check-config.ts';
import { closeCommand } from '../../../src/cli/close.ts';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { reconcileCommand } from '../../../src/cli/reconcile.ts';
import { reportCommand } from '../../../src/cli/report.ts';
import { serveCommand } from '../../../src/cli/serve.ts';
import type { History } from '../../../src/history/history.ts';
import { makeFakeIo } from '../../cli/fake-io.ts';
import { HistoryFolder } from '../../support/history-folder.ts';

/** A history with prices. Commands are asked about it at an instant. */
export abstract class PricedHistory implements Disposable {
  readonly folder = new HistoryFolder();
  readonly file = this.folder.file;
  readonly history: History;
  readonly configFile = join(this.folder.path, 'dbpm.yaml');
  now: number;

  constructor(prices: string, now: number) {
    this.price(prices);
    this.now = now;
    this.history = this.folder.open();
  }

  price(text: string): void {
    writeFileSync(this.configFile, text);
  }

  async run(line: string) {
    const { io, printed } = makeFakeIo({
      env: { DBPM_BASE_URL: 'https://api.example.com/api/v2/', DBPM_API_KEY: 'key' },
    });
    const flags = ['--config.file', this.configFile, '--history.file', this.file];
    const [command = '', ...words] = line.split(' ');
    const options = { now: () => this.now };
    const commands = [
      reportCommand(io, options),
      closeCommand(io, options),
      reconcileCommand(io, options),
      checkConfigCommand(io),
      serveCommand(io),
    ];
    const exitCode = await runCommandLine(io, [command, ...flags, ...words], commands);
    const hide = (text: string) =>
      text.replaceAll(this.folder.path, 'DIR').replaceAll(/(?<![.\w])[0-9a-f]{12}\b/g, 'a-price-book');
    return { exitCode, stdout: hide(printed.stdout), stderr: hide(printed.stderr) };
  }

  /** The rows of a report of cost, with its total, in short. */
  async costs(line: string): Promise<readonly string[]> {
    const { stdout } = await this.run(`report cost ${line} --format json`);
    const { rows, totals } = JSON.parse(stdout);
    return [
      ...rows.map((row: Record<string, string>) => `${row.project_id ?? row.region_id} ${row.cost}`).sort(),
      `total ${totals.cost}`,
    ];
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }
}
