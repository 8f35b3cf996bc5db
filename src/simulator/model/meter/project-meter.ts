import { avalanche, hash } from '../random.ts';
import { addSpan, amountIn, createHourSeries, type HourSeries } from './hour-series.ts';

/** The use of a branch, by hour. Instants are epoch seconds. */
export interface BranchMeter {
  readonly id: string;
  readonly createdAt: number;
  deletedAt: number | undefined;
  /** Quarters of a CU are the smallest size, so that use adds up exactly in whole numbers. */
  readonly quarterCuSeconds: HourSeries;
  readonly activeSeconds: HourSeries;
  /** Makes what its clients write and fetch. */
  readonly salt: number;
}

/** What can be added to a meter from outside, in bytes; what is stored can shrink as well. */
export const additions = [
  'root_branch_bytes',
  'child_branch_bytes',
  'instant_restore_bytes',
  'snapshot_storage_bytes',
  'written_data_bytes',
  'public_network_transfer_bytes',
  'private_network_transfer_bytes',
] as const;

export type Addition = (typeof additions)[number];

/** The use of a project, by hour. Instants are epoch seconds. */
export interface ProjectMeter {
  readonly createdAt: number;
  /** When the project was deleted. */
  endedAt: number | undefined;
  readonly salt: number;
  /** By id, in order of creation, deleted ones included; the first is the root. */
  readonly branches: Map<string, BranchMeter>;
  /** Seconds with any endpoint awake. */
  readonly activeSeconds: HourSeries;
  activeCountedUntil: number;
  readonly added: Readonly<Record<Addition, HourSeries>>;
  /** How far back a restore can go. */
  readonly retentionHours: number;
}

const retentions = [6, 24, 168, 168] as const;

export function createProjectMeter(projectId: string, createdAt: number): ProjectMeter {
  const salt = hash(projectId, 'meter');
  const series = () => createHourSeries(createdAt);
  return {
    createdAt,
    endedAt: undefined,
    salt,
    branches: new Map(),
    activeSeconds: series(),
    activeCountedUntil: createdAt,
    added: Object.fromEntries(additions.map(addition => [addition, series()])) as ProjectMeter['added'],
    retentionHours: retentions[salt % retentions.length] ?? 24,
  };
}

export function addBranchMeter({ branches }: ProjectMeter, id: string, createdAt: number): void {
  branches.set(id, {
    id,
    createdAt,
    deletedAt: undefined,
    quarterCuSeconds: createHourSeries(createdAt),
    activeSeconds: createHourSeries(createdAt),
    salt: hash(id, 'meter'),
  });
}

/** Counts an endpoint of the branch that was awake in one size. */
export function countAwakeSpan(branch: BranchMeter, from: number, to: number, quarterCu: number): void {
  addSpan(branch.activeSeconds, from, to, 1);
  addSpan(branch.quarterCuSeconds, from, to, quarterCu);
}

/** Bytes that its clients wrote in the hour: by the second awake, in some hours more than in others. */
export function writtenBytesIn({ activeSeconds, salt }: BranchMeter, hour: number): number {
  return amountIn(activeSeconds, hour) * drawRate(salt, hour, 1000, 30_000);
}

/** Bytes that its clients fetched over the public network in the hour, by the CU second. */
export function publicBytesIn({ quarterCuSeconds, salt }: BranchMeter, hour: number): number {
  return amountIn(quarterCuSeconds, hour) * drawRate(salt + 1, hour, 100, 5000);
}

/** As `publicBytesIn`, over a private network, which one project in three has. */
export function privateBytesIn(
  { quarterCuSeconds, salt }: BranchMeter,
  hour: number,
  { salt: projectSalt }: ProjectMeter,
): number {
  if (projectSalt % 3 !== 0) return 0;
  return amountIn(quarterCuSeconds, hour) * drawRate(salt + 2, hour, 100, 2000);
}

/** Bytes that are stored in a new project. */
export function initialBytes({ salt }: ProjectMeter): number {
  return 30_000_000 + (avalanche(salt + 3) % 20_000) * 1_000_000;
}

function drawRate(salt: number, hour: number, least: number, most: number): number {
  return least + (avalanche(salt + Math.imul(hour, 0x9e3779b9)) % (most - least + 1));
}
