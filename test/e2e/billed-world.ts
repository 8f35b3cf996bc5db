import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { Random } from '../../src/simulator/model/random.ts';
import type { BillCase } from '../oracle/bill-case.ts';
import { type DaemonProcess, startProgram } from '../support/daemon-process.ts';
import { differences, type TrueProject } from '../support/truth.ts';
import { ScrapeWatch } from '../world/scrape-watch.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

const hourMs = 3_600_000;

/** A world whose use is known by the hour, and a daemon that watches it when it is told to. */
export class BilledWorld {
  readonly world: SimulatedWorld;
  readonly watch = new ScrapeWatch();
  readonly use: BillCase['use'][number][] = [];
  readonly #env: Readonly<Record<string, string>>;
  readonly #random: Random;
  readonly #usedBefore = new Map<string, number>();
  readonly #lives = new Map<string, { created_at: number; deleted_at?: number }>();
  readonly #names = new Map<string, string>();
  /** Series that lack what nobody can know. */
  readonly #unknowable = new Set<string>();
  #daemon: DaemonProcess | undefined;
  #now: number;
  #readAt = 0;
  kills = 0;

  private constructor(world: SimulatedWorld, beganAt: number, random: Random, config: object) {
    this.world = world;
    this.#now = beganAt;
    this.#random = random;
    const file = join(world.folder, 'config.yaml');
    writeFileSync(file, JSON.stringify(config));
    this.#env = {
      DBPM_CONFIG_FILE: file,
      DBPM_USAGE_REFRESH: '1s',
      DBPM_COLLECT_IDLE_REFRESH: '1s',
      NODE_COMPILE_CACHE: join(world.folder, 'compile-cache'),
    };
  }

  /** @param config as users write it; JSON is YAML. */
  static async start(beganAt: number, random: Random, config: object): Promise<BilledWorld> {
    const world = await startWorld({ projects: 0, historyDays: 0, frozenAt: beganAt });
    return new BilledWorld(world, beganAt, random, config);
  }

  get now(): number {
    return this.#now;
  }

  get projects(): BillCase['projects'] {
    return [...this.#lives].map(([id, life]) => {
      return { id, name: this.#names.get(id) ?? '', account: 'main', ...life };
    });
  }

  /** A project with an endpoint of one size: how much it uses follows from how long it is awake. */
  async addProject(name: string, size: number): Promise<string> {
    const { id } = (await this.world.call('POST', '/projects', { name })) as { readonly id: string };
    const url = `${this.world.simulator.base_url}projects/${id}/endpoints`;
    for (const { endpoint_id } of await this.#endpointsOf(id))
      await this.world.call('DELETE', `${url}/${endpoint_id}`);
    const branch = await this.world.call('POST', `/projects/${id}/branches`, { endpoint: false });
    const sizes = { autoscaling_limit_min_cu: size, autoscaling_limit_max_cu: size };
    const endpoint = { branch_id: (branch as { readonly id: string }).id, type: 'read_write', ...sizes };
    await this.world.call('POST', url, { endpoint });
    this.#lives.set(id, { created_at: this.#now });
    this.#names.set(id, name);
    return id;
  }

  /** Deletes a project of which all is known. */
  async delete(name: string): Promise<void> {
    const id = this.#idOf(name);
    await this.world.call('DELETE', `/projects/${id}`);
    this.#lives.set(id, {
      ...this.#lives.get(id),
      created_at: this.#lives.get(id)?.created_at ?? 0,
      deleted_at: this.#now,
    });
  }

  async reset(id: string): Promise<void> {
    await this.world.call('POST', `/projects/${id}/cpu`, { cpu_used_sec: 0 });
  }

  /**
   * Sets a counter back while nobody watches: what was used since it was last read, nobody who polls can know.
   *
   * @returns how much that is, in CU-milliseconds.
   */
  async lose(name: string): Promise<number> {
    await this.kill();
    const id = this.#idOf(name);
    await this.reset(id);
    this.#unknowable.add(`dbpm_project_cpu_used_seconds_total ${id}`);
    const lost = this.use.filter(({ project, at }) => project === id && at >= this.#readAt);
    for (const use of lost) this.use.splice(this.use.indexOf(use), 1);
    return lost.reduce((sum, { cu_ms }) => sum + cu_ms, 0);
  }

  #idOf(name: string): string {
    for (const [id, its] of this.#names) if (its === name) return id;
    throw new Error(`no project ${name}`);
  }

  /** Some clients connect, an hour goes by, and what it took is written down. */
  async passHour(shareAwake: number): Promise<void> {
    const { projects } = await this.world.truth();
    for (const { deleted, endpoints } of projects) {
      const endpoint = endpoints.find(each => !each.deleted);
      if (deleted || endpoint === undefined || !this.#random.chance(shareAwake)) continue;
      const seconds = this.#random.integer(1, 7200);
      await this.world.call('POST', `/endpoints/${endpoint.endpoint_id}/connect`, { seconds });
    }
    await this.world.call('POST', '/advance', { seconds: hourMs / 1000 });
    await this.#writeDown();
    this.#now += hourMs;
  }

  async #writeDown(): Promise<void> {
    for (const { project_id, cpu_used_sec_ever } of (await this.world.truth()).projects) {
      const grown = cpu_used_sec_ever - (this.#usedBefore.get(project_id) ?? 0);
      this.#usedBefore.set(project_id, cpu_used_sec_ever);
      if (grown > 0) this.use.push({ project: project_id, at: this.#now, cu_ms: grown * 1000 });
    }
  }

  async #endpointsOf(id: string): Promise<TrueProject['endpoints']> {
    const { projects } = await this.world.truth();
    return projects.find(({ project_id }) => project_id === id)?.endpoints ?? [];
  }

  async #differences(): Promise<string[]> {
    return differences(await this.world.truth(), this.watch.latest, 0);
  }

  /** Has a daemon read all that there is, one that was killed or stopped a new one. */
  async read(): Promise<void> {
    this.#daemon ??= this.world.startDaemon(this.#env);
    const url = await this.#daemon.untilServing();
    await vi.waitFor(
      async () => {
        await this.watch.scrape(url);
        expect(
          (await this.#differences()).filter(line => !this.#unknowable.has(line.split(':')[0] ?? '')),
        ).toEqual([]);
      },
      { timeout: 100_000, interval: 50 },
    );
    this.#readAt = this.#now;
  }

  async kill(): Promise<void> {
    if (this.#daemon === undefined) return;
    await this.#daemon.stop('SIGKILL');
    this.#daemon = undefined;
    this.kills += 1;
  }

  async stop(): Promise<void> {
    await this.#daemon?.stop('SIGTERM');
    this.#daemon = undefined;
  }

  /** What a command of the program prints about the history. */
  async ask(
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
    const program = startProgram(args, {
      ...this.#env,
      DBPM_HISTORY_FILE: join(this.world.folder, 'history.sqlite'),
    });
    const { code } = await program.exited;
    return { code, stdout: program.stdout(), stderr: program.stderr() };
  }
}
