import { defaultSettings } from './endpoint.ts';
import type { EndpointSettings, Load } from './project.ts';
import { createRandom, type Random } from './random.ts';
import type { Profile } from './traffic.ts';

/** A branch and its endpoint before they exist: fixed by the seed, whenever the simulator is started. */
export interface BranchBlueprint {
  readonly id: string;
  readonly name: string;
  readonly endpointId: string;
  readonly settings: EndpointSettings;
  readonly profile: Profile;
  readonly load?: Load;
}

export interface ProjectBlueprint {
  readonly id: string;
  readonly name: string;
  readonly platformId: string;
  readonly regionId: string;
  readonly pgVersion: number;
  readonly branches: readonly BranchBlueprint[];
}

/** `free` has the smallest fixed size and the default auto-suspend delay, and cannot change them. */
export type SimulatedPlan = 'paid' | 'free';

const adjectives = [
  'autumn',
  'bold',
  'calm',
  'damp',
  'gentle',
  'hidden',
  'icy',
  'late',
  'misty',
  'proud',
  'quiet',
  'rough',
  'silent',
  'spring',
  'wild',
] as const;
const nouns = [
  'bird',
  'brook',
  'cloud',
  'dew',
  'field',
  'forest',
  'frost',
  'hill',
  'leaf',
  'meadow',
  'moon',
  'pine',
  'rain',
  'sky',
  'wave',
] as const;
const products = [
  'accounts',
  'analytics',
  'billing',
  'catalogue',
  'checkout',
  'crm',
  'docs',
  'identity',
  'inventory',
  'loyalty',
  'notifications',
  'orders',
  'payroll',
  'pricing',
  'search',
  'shipping',
  'support',
  'webshop',
] as const;
const purposes = ['api', 'api-staging', 'db', 'dev', 'jobs', 'prod', 'reporting', 'sandbox'] as const;
const regions = [
  ['aws', 'aws-us-east-2'],
  ['aws', 'aws-us-west-2'],
  ['aws', 'aws-eu-central-1'],
  ['aws', 'aws-ap-southeast-1'],
  ['azure', 'azure-eastus2'],
] as const;
const branchNames = ['dev', 'staging', 'preview/login-form', 'migration-test', 'qa', 'analytics'] as const;

/** Repeated entries make a profile more common. */
const mainProfiles = [
  'working-hours',
  'working-hours',
  'working-hours',
  'bursty',
  'bursty',
  'bursty',
  'nightly-cron',
  'nightly-cron',
  'five-minute-cron',
  'never-sleeping',
  'forgotten',
] as const;
const sideProfiles = ['working-hours', 'bursty', 'nightly-cron', 'forgotten', 'forgotten'] as const;

/** The `index`-th project of the family `kind` (the fleet, those added later, …) of a seed. */
export function drawProject(
  seed: number,
  kind: string,
  index: number,
  plan: SimulatedPlan,
  given: { readonly name?: string; readonly branches?: number; readonly profile?: Profile } = {},
): ProjectBlueprint {
  const random = createRandom(seed, kind, index);
  const [platformId, regionId] = random.pick(regions);
  const drawnBranches = random.pick([1, 1, 1, 2, 2, 3, 4]);
  const firstBranchName = random.integer(0, branchNames.length - 1);
  const branches = Array.from({ length: given.branches ?? drawnBranches }, (_, position) => {
    const name = branchNames[(firstBranchName + position) % branchNames.length] ?? 'dev';
    const profile = given.profile ?? random.pick(position === 0 ? mainProfiles : sideProfiles);
    return drawBranch(random, position === 0 ? 'main' : name, profile, plan);
  });
  return {
    id: drawId(random),
    name: given.name ?? `${random.pick(products)}-${random.pick(purposes)}`,
    platformId,
    regionId,
    pgVersion: random.pick([14, 15, 15, 16]),
    branches,
  };
}

/** Draws a branch with its endpoint. */
export function drawBranch(
  random: Random,
  name: string,
  profile: Profile,
  plan: SimulatedPlan,
): BranchBlueprint {
  return {
    id: `br-${drawId(random)}`,
    name,
    endpointId: `ep-${drawId(random)}`,
    settings: plan === 'free' ? defaultSettings : drawSettings(random, profile),
    profile,
  };
}

/** Draws an id of the service: two words and a number. */
export function drawId(random: Random): string {
  const digits = String(random.integer(0, 99_999_999)).padStart(8, '0');
  return `${random.pick(adjectives)}-${random.pick(nouns)}-${digits}`;
}

function drawSettings(random: Random, profile: Profile): EndpointSettings {
  const isAutoscaling = random.chance(0.25);
  const fixedCu = random.pick([0.25, 0.25, 0.5, 1, 2, 4, 7]);
  const maxCu = random.integer(2, 7);
  const delay = random.pick([0, 0, 0, 60, 600]);
  return {
    ...defaultSettings,
    minCu: isAutoscaling ? 1 : fixedCu,
    maxCu: isAutoscaling ? maxCu : fixedCu,
    suspendTimeoutSeconds: delaysOfProfile[profile] ?? delay,
    poolerEnabled: random.chance(0.3),
  };
}

/** Whose auto-suspend delay is what makes them what they are. */
const delaysOfProfile: Partial<Record<Profile, number>> = { 'never-sleeping': -1, 'five-minute-cron': 0 };
