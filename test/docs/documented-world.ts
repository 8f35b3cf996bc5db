import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { liveEndpoints } from '../../src/simulator/model/project.ts';
import { type Simulator, startSimulator } from '../../src/simulator/server.ts';
import { markShard } from '../support/marked-shard.ts';
import { RecordedDemo } from '../support/recorded-demo.ts';
import { startWriteReceiver } from '../support/write-receiver.ts';
import { type RunningProgram, startProgramHere } from './program-here.ts';

type WriteReceiver = Awaited<ReturnType<typeof startWriteReceiver>>;

const apiKey = 'documented-5c1f7a90';
/** A key that a page may revoke. */
const expendableKey = 'expendable';

const cheaperPrices = `
pricing:
  currency: USD
  plans:
    - {name: all, prices: [{from: 2025-01-01, per_compute_hour: 0.12}]}
`;

/** Surroundings that the commands of the documents name: a service with its key, a daemon, a configuration, a history. */
export class DocumentedWorld implements AsyncDisposable {
  /** Commands run in it: the history is where the defaults look for it. */
  readonly folder: string;
  /** Variables of a command that reads a configuration. */
  readonly env: Readonly<Record<string, string>>;
  readonly #simulator: Simulator;
  readonly #expendableKeyId: number;
  readonly #daemon: RunningProgram;
  readonly #receiver: WriteReceiver;
  /** Places of this world by how documents write theirs. */
  readonly #standIns: readonly (readonly [RegExp, string])[];

  private constructor(folder: string, simulator: Simulator, daemon: RunningProgram, receiver: WriteReceiver) {
    this.folder = folder;
    this.#simulator = simulator;
    this.#expendableKeyId = simulator.account.keys.create(expendableKey).id;
    this.#daemon = daemon;
    this.#receiver = receiver;
    this.env = {
      DBPM_BASE_URL: simulator.base_url,
      DBPM_API_KEY: apiKey,
      DBPM_ACCOUNT_NAME: 'demo',
      DBPM_CONFIG_FILE: join(folder, 'dbpm.yaml'),
    };
    const root = simulator.base_url.replace('/api/v2/', '');
    const [daemonUrl = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(daemon.printed.stderr) ?? [];
    this.#standIns = [
      [/https:\/\/api\.example\.com(?=\/api\/v2)/g, root],
      [/http:\/\/127\.0\.0\.1:PORT/g, root],
      [/http:\/\/localhost:10062/g, daemonUrl],
      [/http:\/\/127\.0\.0\.1:8428\/api\/v1\/write/g, receiver.url],
      [/127\.0\.0\.1:10062/g, '127.0.0.1:0'],
      [/\/run\/secrets\/dbpm/g, join(folder, 'dbpm.key')],
      [/\/etc\/dbpm\/dbpm\.yaml/g, join(folder, 'dbpm.yaml')],
      [/\/etc\/prometheus\/prometheus\.yml/g, join(folder, 'prometheus.yml')],
      [/\/its\/data\/folder/g, join(folder, 'blocks')],
      [/(?<=\s)\/data\b/g, join(folder, 'data')],
    ];
  }

  /** @param scrapeConfig what Prometheus reads, as a document shows it. */
  static async open(scrapeConfig: string): Promise<DocumentedWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'dbpm-documented-'));
    using demo = await RecordedDemo.record();
    for (const each of ['data', 'shown', 'shards']) mkdirSync(join(folder, each));
    demo.copyTo({ configFile: join(folder, 'dbpm.yaml'), historyFile: join(folder, 'data/dbpm.sqlite') });
    for (const index of [0, 1]) {
      const file = join(folder, `shards/shard-${index}.sqlite`);
      copyFileSync(join(folder, 'data/dbpm.sqlite'), file);
      markShard(file, { index, count: 2 });
    }
    writeFileSync(join(folder, 'dbpm.key'), apiKey, { mode: 0o600 });
    writeFileSync(join(folder, 'prometheus.yml'), scrapeConfig);
    writeFileSync(join(folder, 'cheaper.yaml'), cheaperPrices);
    // Makes a refused request of curl a failure.
    writeFileSync(join(folder, '.curlrc'), 'fail-with-body\n');
    const simulator = await startSimulator({ projects: 3, historyDays: 1, apiKey });
    const env = {
      DBPM_BASE_URL: simulator.base_url,
      DBPM_API_KEY: apiKey,
      DBPM_HISTORY_FILE: join(folder, 'daemon.sqlite'),
      DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:0',
    };
    const daemon = await startProgramHere(['serve'], env);
    return new DocumentedWorld(folder, simulator, daemon, await startWriteReceiver());
  }

  /** A text of a document with the places of this world in it. */
  place(text: string): string {
    return this.#standIns.reduce((placed, [pattern, standIn]) => placed.replaceAll(pattern, standIn), text);
  }

  /** Runs lines of a shell in the folder; rejects with what they wrote when one of them fails. */
  async runShell(lines: readonly string[]): Promise<void> {
    const [project] = this.#simulator.account.projects.values();
    const [endpoint] = project === undefined ? [] : liveEndpoints(project);
    const env = {
      PATH: process.env.PATH,
      HOME: this.folder,
      PROJECT_ID: project?.id,
      ENDPOINT_ID: endpoint?.id,
      KEY_ID: String(this.#expendableKeyId),
      OTHER_KEY: apiKey,
    };
    const script = ['set -euo pipefail', ...lines.map(line => this.place(line))].join('\n');
    await promisify(execFile)('bash', ['-c', script], { cwd: this.folder, env });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#daemon.stop();
    await this.#simulator.close();
    await this.#receiver.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
