import type { Period } from '../../src/cost/calendar/calendar.ts';
import type { DatedDelay, DatedSize, EndpointPast } from '../../src/resources/endpoint-history.ts';
import type { UsageLedger, UsageProject } from '../../src/resources/usage/ledger.ts';
import { createProject, type SimulatedAccount } from '../../src/simulator/model/account.ts';
import { drawProject } from '../../src/simulator/model/blueprint.ts';
import { countUsage, cpuUsedSecondsEver, suspendDelaySeconds } from '../../src/simulator/model/endpoint.ts';
import { connect, settle } from '../../src/simulator/model/endpoint-life.ts';
import { createFleet } from '../../src/simulator/model/fleet.ts';
import {
  type EndpointSettings,
  liveEndpoints,
  type SimulatedEndpoint,
} from '../../src/simulator/model/project.ts';
import { createRandom, type Random } from '../../src/simulator/model/random.ts';
import { rememberEndpoint } from './simulated-past.ts';

/** Two months of a simulated fleet, as a client that misses nothing knows them. */
export interface LivedMonths {
  readonly before: Period;
  readonly after: Period;
  readonly ledger: UsageLedger;
  readonly endpointsOf: (project: UsageProject) => readonly EndpointPast[];
  /** When something was planted, epoch milliseconds, and what; absent where nothing was, or nothing could be. */
  readonly plantedAt: number;
  readonly plant?: Plant;
}

const hour = 3600;
const day = 24 * hour;
const settlingDays = 60;

/** Lives two months of 2026 of the fleet of a seed. @param salt draws another plant for the same fleet. */
export function liveMonths(seed: number, kind?: PlantKind, salt = 0): LivedMonths {
  const random = createRandom(seed, 'why');
  const month = random.integer(0, 10);
  const [from, middle, until] = [0, 1, 2].map(more => Date.UTC(2026, month + more, 1) / 1000);
  if (from === undefined || middle === undefined || until === undefined) throw new Error('three edges');
  const account = createFleet({
    ...{ seed, projects: random.integer(4, 9), apiKey: 'key', plan: 'paid', showcase: random.chance(0.3) },
    ...{ historyDays: (until - from) / day + settlingDays, now: until },
  });
  const plantedAt = Math.floor(middle + (0.05 + 0.6 * random.fraction()) * (until - middle));
  let plant: Plant | undefined;
  if (kind !== undefined) {
    account.timeline.schedule(plantedAt, () => {
      plant = plantCause(account, kind, createRandom(seed, 'plant', kind, salt));
    });
  }
  const readings = new Map<string, number[]>();
  for (let index = 0; from + index * hour <= until; index += 1) {
    account.timeline.advanceTo(from + index * hour);
    for (const project of account.projects.values()) {
      const row = readings.get(project.id) ?? new Array<number>(index).fill(0);
      readings.set(project.id, row);
      row.push(cpuUsedSecondsEver(project) * 1000);
    }
  }
  const simulated = [...account.projects.values()];
  const settingsBefore = (endpoint: SimulatedEndpoint) =>
    plant?.endpoint === endpoint ? plant.settingsBefore : undefined;
  const pastOf = (endpoint: SimulatedEndpoint): EndpointPast => {
    const past = rememberEndpoint(endpoint, {
      ...{
        fromSecond: from,
        untilSecond: Math.min(until, endpoint.deletedAt ?? until),
        isLastUseRead: false,
      },
      quarterCuSecondsBefore: new Map(),
    });
    const old = settingsBefore(endpoint);
    return {
      past: { ...past, delays: delaysOf(endpoint, old, plantedAt * 1000) },
      sizes: sizesOf(endpoint, old, plantedAt * 1000),
      ...(endpoint.deletedAt !== undefined && { goneAt: endpoint.deletedAt * 1000 }),
    };
  };
  return {
    before: { fromAt: from * 1000, untilAt: middle * 1000 },
    after: { fromAt: middle * 1000, untilAt: until * 1000 },
    plantedAt: plantedAt * 1000,
    ledger: {
      projects: simulated.map(({ id, name, createdAt, deletedAt }, project_ref) => ({
        ...{ project_ref, account: 'main', project_id: id, project_name: name, created_at: createdAt * 1000 },
        ...(deletedAt !== undefined && { gone_at: deletedAt * 1000 }),
      })),
      knownFrom: () => 0,
      knownUntil: () => until * 1000,
      usedUntil: (project_ref, at) =>
        readAt(readings.get(simulated[project_ref]?.id ?? '') ?? [], (at / 1000 - from) / hour),
    },
    endpointsOf: ({ project_ref }) => (simulated[project_ref]?.endpoints ?? []).map(pastOf),
    ...(plant && { plant }),
  };
}

function delaysOf(
  { settings, createdAt }: SimulatedEndpoint,
  before: SimulatedEndpoint['settings'] | undefined,
  changedAt: number,
): DatedDelay[] {
  const delayOf = (each: EndpointSettings) => ({ delayMs: suspendDelaySeconds(each) * 1000 });
  const first = { fromAt: createdAt * 1000, ...delayOf(before ?? settings) };
  return before === undefined ? [first] : [first, { fromAt: changedAt, ...delayOf(settings) }];
}

function sizesOf(
  { settings }: SimulatedEndpoint,
  before: SimulatedEndpoint['settings'] | undefined,
  changedAt: number,
): DatedSize[] {
  const { minCu, maxCu } = settings;
  if (before === undefined || (before.minCu === minCu && before.maxCu === maxCu))
    return [{ fromAt: 0, minCu, maxCu }];
  return [
    { fromAt: 0, minCu: before.minCu, maxCu: before.maxCu },
    { fromAt: changedAt, minCu, maxCu },
  ];
}

/** Between two readings use is even. */
function readAt(row: readonly number[], hours: number): number {
  const index = Math.min(Math.max(0, hours), row.length - 1);
  const [one = 0, other = one] = [row[Math.floor(index)], row[Math.ceil(index)]];
  return Math.round(one + (other - one) * (index - Math.floor(index)));
}

export const plantKinds = ['price', 'cron job', 'resize', 'new project', 'setting'] as const;
export type PlantKind = (typeof plantKinds)[number];

/** What was planted into a fleet, and where. */
interface Plant {
  /** Absent for a price. */
  readonly projectId?: string;
  readonly endpoint?: SimulatedEndpoint;
  readonly settingsBefore?: EndpointSettings;
}

const largestCu = 7;
/** Causes are planted into one of the five endpoints that used most: elsewhere they make no bill. */
const busiest = 5;

/** Plants a cause of another bill into the life of a fleet, now. Undefined where nothing can have it. */
function plantCause(account: SimulatedAccount, kind: PlantKind, random: Random): Plant | undefined {
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
