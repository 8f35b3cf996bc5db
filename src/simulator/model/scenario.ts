import { createProject, type SimulatedAccount } from './account.ts';
import { drawProject, type ProjectBlueprint } from './blueprint.ts';
import { updateEndpoint } from './endpoint-request.ts';
import type { EndpointSettings, Load } from './project.ts';
import type { Profile } from './traffic.ts';

interface Scenario {
  readonly name: string;
  readonly profile: Profile;
  readonly settings: Pick<EndpointSettings, 'minCu' | 'maxCu' | 'suspendTimeoutSeconds'>;
  readonly load?: Load;
}

/** One project for each reason why an endpoint uses compute that it might not need. */
export const scenarios: readonly Scenario[] = [
  { name: 'stock-sync', profile: 'ten-minute-cron', settings: fixed(1, 60) },
  { name: 'pooled-backend', profile: 'never-sleeping', settings: fixed(2, -1) },
  { name: 'hourly-glance', profile: 'short-visits', settings: fixed(1, 3600) },
  { name: 'support-desk', profile: 'bursty', settings: fixed(2, 900) },
  {
    name: 'cautious-floor',
    profile: 'working-hours',
    settings: { minCu: 4, maxCu: 7, suspendTimeoutSeconds: 60 },
    load: 'low',
  },
  { name: 'old-campaign', profile: 'forgotten', settings: fixed(1, -1) },
  { name: 'abandoned-preview', profile: 'woken-by-checks', settings: fixed(4, 0) },
];

/** An endpoint that did not suspend, until that was changed. */
const followed: Scenario = { name: 'night-reports', profile: 'nightly-cron', settings: fixed(1, -1) };
const followedDelaySeconds = 300;

/** Creates the projects of all scenarios at the beginning of the history. */
export function scheduleScenarios(account: SimulatedAccount, beginsAt: number): void {
  for (const [index, scenario] of scenarios.entries()) {
    const blueprint = drawScenario(account, scenario, index);
    account.timeline.schedule(beginsAt, () => createProject(account, blueprint));
  }
}

/** Creates a project whose endpoints never suspend until an instant, in seconds since 1970, and do so from then on. */
export function scheduleFollowed(account: SimulatedAccount, beginsAt: number, followedAt: number): void {
  const blueprint = drawScenario(account, followed, scenarios.length);
  account.timeline.schedule(beginsAt, () => {
    const project = createProject(account, blueprint);
    account.timeline.schedule(followedAt, () => {
      const change = { suspendTimeoutSeconds: followedDelaySeconds };
      for (const endpoint of project.endpoints) updateEndpoint(account, endpoint, undefined, change);
    });
  });
}

function drawScenario(account: SimulatedAccount, scenario: Scenario, index: number): ProjectBlueprint {
  const { name, profile, settings, load } = scenario;
  const drawn = drawProject(account.seed, 'showcase', index, account.plan, { name, profile, branches: 1 });
  const branches = drawn.branches.map(branch => ({
    ...branch,
    // The free plan has one size and delay for all.
    settings: account.plan === 'free' ? branch.settings : { ...branch.settings, ...settings },
    ...(load !== undefined && { load }),
  }));
  return { ...drawn, branches };
}

function fixed(cu: number, suspendTimeoutSeconds: number): Scenario['settings'] {
  return { minCu: cu, maxCu: cu, suspendTimeoutSeconds };
}
