import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import './threads.ts';
import { createRandom, type Random } from '../../src/simulator/model/random.ts';
import type { SimulatorOptions } from '../../src/simulator/server.ts';
import { seedMessages } from './in-process-worker.ts';
import { type Settings, SimulatedDaemon } from './simulated-daemon.ts';
import { serviceKey, VirtualService } from './virtual-service.ts';
import { beginVirtualTime, endVirtualTime, passTimeUntil } from './virtual-time.ts';

export const simulatedMinute = 60_000;

/** Noon of a day in the midst of a month. */
const defaultStart = Date.UTC(2026, 9, 14, 12);

interface StageOptions {
  readonly seed: number;
  /** Epoch milliseconds at which time begins to pass. */
  readonly startAt?: number;
  /** How long a request takes to the service, and its answer back, at most; 150 ms by default. */
  readonly longestWayMs?: number;
  readonly service?: Partial<Omit<SimulatorOptions, 'apiKey' | 'wallClock' | 'seed'>>;
}

/** Where a run takes place: a service, a folder for histories, and time that passes as fast as it can be worked through. */
export interface Stage {
  readonly service: VirtualService;
  readonly folder: string;
  /** A random source of its own for each purpose. */
  random(purpose: string): Random;
  startDaemon(settings?: Partial<Settings>): SimulatedDaemon;
}

/** Runs something in virtual time. Whatever happens follows from the seed, so a failure happens again with it. */
export async function onStage<Result>(
  { seed, startAt = defaultStart, longestWayMs = 150, service: options }: StageOptions,
  act: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-simulation-'));
  const daemons: SimulatedDaemon[] = [];
  const random = (purpose: string) => createRandom(seed, purpose);
  const jitter = random('jitter');
  vi.spyOn(Math, 'random').mockImplementation(() => jitter.fraction());
  vi.spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 0, system: 0 });
  seedMessages(random('messages'));
  beginVirtualTime(startAt);
  onTestFinished(() => {
    for (const daemon of daemons) daemon.kill();
    endVirtualTime();
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });
  const service = await VirtualService.open(
    { projects: 4, historyDays: 1, ...options, seed },
    { random: random('network'), longestWayMs },
  );
  onTestFinished(() => service.close());
  const way = service.addWay();
  const startDaemon = ({ env, file }: Partial<Settings> = {}) => {
    const daemon = new SimulatedDaemon({
      env: {
        DBPM_BASE_URL: way.base_url,
        DBPM_API_KEY: serviceKey,
        DBPM_HISTORY_FILE: join(folder, 'history.sqlite'),
        DBPM_WEB_CONSOLE: 'false',
        // Use and cost take a third of the work: where they are looked at, a test has them worked out more often.
        DBPM_USAGE_REFRESH: '1h',
        ...env,
      },
      ...(file !== undefined && { file }),
    });
    daemons.push(daemon);
    return daemon;
  };
  const result = await passTimeUntil(act({ service, folder, random, startDaemon }));
  for (const { failure } of daemons)
    if (failure !== undefined) throw new Error('a daemon ended by itself', { cause: failure });
  return result;
}
