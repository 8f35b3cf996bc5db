import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkConfigCommand } from '../../src/cli/check-config.ts';
import { closeCommand } from '../../src/cli/close.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { reconcileCommand } from '../../src/cli/reconcile.ts';
import { reportCommand } from '../../src/cli/report.ts';
import { serveCommand } from '../../src/cli/serve.ts';
import type { History } from '../../src/history/history.ts';
import { makeFakeIo } from '../cli/fake-io.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  instant,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const at = (text: string) => Date.parse(`2026-${text}:00Z`);

export const usualPrices = `
pricing:
  currency: USD
  plans:
    - name: scale
      prices: [{from: 2026-01-01, per_compute_hour: 0.16}]
      minimum: 15
`;

/**
 * A project of one compute unit that used 78 hours on the first days of October, and 24 hours between the last of October
 * and 2 November, of which nobody knows at first on which of the two days.
 */
export class ClosedHistory implements Disposable {
  readonly folder = new HistoryFolder();
  readonly file = this.folder.file;
  readonly history: History;
  readonly #configFile = join(this.folder.path, 'dbpm.yaml');
  now = at('11-03T09:00');

  constructor() {
    this.price(usualPrices);
    this.history = this.folder.open();
    this.history.record(projectsReading(at('09-30T00:00'), []));
    for (const [when, hours] of [
      ['10-01T00:00', 0],
      ['10-05T00:00', 78],
      ['10-31T00:00', 78],
      ['11-02T00:00', 102],
      ['11-03T08:59', 102],
    ] as const) {
      this.list(when, hours);
    }
  }

  list(when: string, hours: number): void {
    const fields = { created_at: '2026-10-01T00:00:00Z', name: 'shop', cpu_used_sec: hours * 3600 };
    this.history.record(projectsReading(at(when), [wireProject('p-shop', fields)]));
  }

  price(text: string): void {
    writeFileSync(this.#configFile, text);
  }

  /** Operations are read which say that all of the 24 hours were on the last day of October. */
  findLater(): void {
    const created_at = '2026-10-01T00:00:00Z';
    const size = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
    const operation = (action: string, when: string) => {
      const times = { created_at: instant(at(when) - 2000), updated_at: instant(at(when)) };
      return wireOperation(`${action} ${when}`, { endpoint_id: 'ep-1', action, ...times });
    };
    this.history.record(
      projectReading(at('11-03T09:00'), 'p-shop', {
        endpoints: [wireEndpoint('ep-1', { ...size, created_at })],
        operations: [
          operation('suspend_compute', '11-01T00:00'),
          operation('start_compute', '10-31T00:00'),
          operation('suspend_compute', '10-04T06:00'),
          operation('start_compute', '10-01T00:00'),
        ],
      }),
    );
  }

  async run(line: string) {
    const { io, printed } = makeFakeIo({
      env: { DBPM_BASE_URL: 'https://api.example.com/api/v2/', DBPM_API_KEY: 'key' },
    });
    const flags = ['--config.file', this.#configFile, '--history.file', this.file];
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
