import { createProject, deleteProject, type SimulatedAccount } from './account.ts';
import { createKeyRing } from './api-key.ts';
import { drawProject, type SimulatedPlan } from './blueprint.ts';
import type { LaterTerms } from './later/later-account.ts';
import { watchPeriods } from './later/quota.ts';
import { scheduleStuckOperation } from './maintenance.ts';
import { hourOf } from './meter/hour-series.ts';
import { createRandom } from './random.ts';
import { scheduleScenarios, scheduleStories } from './scenario.ts';
import { createTimeline } from './timeline.ts';

export interface FleetOptions {
  readonly seed: number;
  readonly projects: number;
  readonly historyDays: number;
  readonly apiKey: string;
  readonly plan: SimulatedPlan;
  /** Adds projects that each use compute for another reason worth finding; the others stay as they are. */
  readonly showcase?: boolean;
  /** Adds a project whose endpoint suspends since three weeks ago, one with an incident some hours ago, and a new one. */
  readonly stories?: boolean;
  /** Whether every start succeeds: then clients come at the same times under all settings. False by default. */
  readonly hasSureStarts?: boolean;
  /** Whether clients come at any hour of any day, as from all over the world. False by default. */
  readonly aroundTheClock?: boolean;
  /** Absent where the service keeps to the contract. */
  readonly later?: LaterTerms;
  /** Where the history ends and the present begins, epoch seconds. */
  readonly now: number;
}

const day = 86_400;
const firstPlans = { free: 'free', paid: 'launch' } as const;

/**
 * An account at the moment before its history: advance its timeline to `now`, at once or in steps, to have it lived.
 * Every project is created inside the history, most in its first tenth, and lives through it by the code that later
 * runs the present. So what clients can list is all there is, and the truth counts the same.
 */
export function createFleet(options: FleetOptions): SimulatedAccount {
  const { seed, plan, now } = options;
  const historySeconds = Math.round(options.historyDays * day);
  const beginsAt = now - historySeconds;
  const timeline = createTimeline(beginsAt - 1);
  const account: SimulatedAccount = {
    seed,
    plan,
    timeline,
    projects: new Map(),
    keys: createKeyRing(timeline, seed, options.apiKey),
    hasSureStarts: options.hasSureStarts ?? false,
    aroundTheClock: options.aroundTheClock ?? false,
    later: options.later && {
      ...options.later,
      plans: [{ plan: firstPlans[plan], fromHour: hourOf(beginsAt) }],
    },
  };
  if (account.later !== undefined) watchPeriods(account);
  for (let index = 0; index < options.projects; index += 1) {
    const random = createRandom(seed, 'history', index);
    const isEarly = random.chance(0.8);
    const share = isEarly ? random.fraction() * 0.1 : 0.1 + random.fraction() * 0.8;
    const stuckShare = 0.93 + random.fraction() * 0.04;
    timeline.schedule(beginsAt + Math.floor(share * historySeconds), () => {
      const project = createProject(account, drawProject(seed, 'fleet', index, plan));
      const isUnlucky = historySeconds > 0 && index % 16 === 2;
      if (isUnlucky) scheduleStuckOperation(project, beginsAt + Math.floor(stuckShare * historySeconds));
    });
    if (index % 40 === 0 && historySeconds >= day) scheduleMistake(account, index, now - day / 2);
  }
  if (options.showcase === true) scheduleScenarios(account, { beginsAt, now });
  if (options.stories === true) scheduleStories(account, { beginsAt, now });
  return account;
}

/** A project that is deleted before its endpoint was ever active, so that all use is still visible to clients. */
function scheduleMistake(account: SimulatedAccount, index: number, second: number): void {
  account.timeline.schedule(second + index, () => {
    const blueprint = drawProject(account.seed, 'mistake', index, account.plan, { branches: 1 });
    const project = createProject(account, blueprint);
    account.timeline.schedule(second + index + 1, () => deleteProject(project));
  });
}
