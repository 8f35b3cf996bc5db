import { createProject, type SimulatedAccount } from '../../src/simulator/model/account.ts';
import { drawProject } from '../../src/simulator/model/blueprint.ts';
import { countUsage, suspendDelaySeconds } from '../../src/simulator/model/endpoint.ts';
import { connect, settle } from '../../src/simulator/model/endpoint-life.ts';
import {
  type EndpointSettings,
  liveEndpoints,
  type SimulatedEndpoint,
} from '../../src/simulator/model/project.ts';
import type { Random } from '../../src/simulator/model/random.ts';

export const plantKinds = ['price', 'cron job', 'resize', 'new project', 'setting'] as const;
export type PlantKind = (typeof plantKinds)[number];

/** What was planted into a fleet, and where. */
export interface Plant {
  /** Absent for a price. */
  readonly projectId?: string;
  readonly endpoint?: SimulatedEndpoint;
  readonly settingsBefore?: EndpointSettings;
}

const day = 86_400;
const largestCu = 7;
/** Causes are planted into one of so many endpoints that used most: elsewhere they make no bill. */
const busiest = 5;

/** Plants a cause of another bill into the life of a fleet, now. Undefined where nothing can have it. */
export function plantCause(account: SimulatedAccount, kind: PlantKind, random: Random): Plant | undefined {
  if (kind === 'price') return {};
  if (kind === 'new project') {
    const profile = random.pick(['working-hours', 'bursty', 'never-sleeping', 'ten-minute-cron']);
    const blueprint = drawProject(random.integer(1, 1e6), 'planted', 1, 'paid', { branches: 1, profile });
    return { projectId: createProject(account, blueprint).id };
  }
  const grown = [...account.projects.values()]
    .filter(({ createdAt }) => createdAt < account.timeline.now - 45 * day)
    .flatMap(liveEndpoints)
    .sort((a, b) => b.quarterCuSeconds - a.quarterCuSeconds)
    .slice(0, busiest);
  const endpoint = grown[random.integer(0, grown.length - 1)];
  if (endpoint === undefined) return undefined;
  const plant = { projectId: endpoint.project.id, endpoint, settingsBefore: endpoint.settings };
  if (kind === 'cron job') {
    startJob(endpoint, random);
    return plant;
  }
  const changed = kind === 'resize' ? drawSize(endpoint, random) : drawDelay(endpoint, random);
  if (changed === undefined) return undefined;
  countUsage(endpoint);
  endpoint.settings = { ...endpoint.settings, ...changed };
  settle(endpoint);
  return plant;
}

/** Something that connects on a schedule: short and often, or for hours each night. */
function startJob(endpoint: SimulatedEndpoint, random: Random): void {
  const { timeline } = endpoint.project;
  const every = random.pick([600, 900, 1800, 3600, 4 * 3600, day]);
  const seconds = every >= 4 * 3600 ? random.integer(1800, every / 3) : random.integer(5, 120);
  const phase = random.integer(0, every - 1);
  const runNext = (): void => {
    const next = (Math.floor((timeline.now - phase) / every) + 1) * every + phase;
    timeline.schedule(next, () => {
      if (endpoint.deletedAt !== undefined) return;
      connect(endpoint, seconds);
      runNext();
    });
  };
  runNext();
}

function drawSize({ settings }: SimulatedEndpoint, random: Random): Partial<EndpointSettings> | undefined {
  const { minCu, maxCu } = settings;
  const factor = random.pick([2, 3, 4]);
  if (minCu !== maxCu) return minCu * factor > maxCu ? undefined : { minCu: minCu * factor };
  const cu = random.chance(0.25) ? minCu / 2 : minCu * factor;
  return cu > largestCu || cu < 0.25 || !Number.isInteger(cu * 4) ? undefined : { minCu: cu, maxCu: cu };
}

function drawDelay({ settings }: SimulatedEndpoint, random: Random): Partial<EndpointSettings> | undefined {
  const delay = suspendDelaySeconds(settings);
  const drawn = random.pick([-1, -1, 60, 600, 1800, 3600, 7200]);
  const isOther =
    drawn === -1 ? delay < Number.POSITIVE_INFINITY : Math.max(drawn / delay, delay / drawn) >= 2;
  return isOther ? { suspendTimeoutSeconds: drawn } : undefined;
}
