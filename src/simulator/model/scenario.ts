import { createProject, type SimulatedAccount } from './account.ts';
import { drawProject, type ProjectBlueprint } from './blueprint.ts';
import { connect } from './endpoint-life.ts';
import { updateEndpoint } from './endpoint-request.ts';
import { beginOperation } from './operation.ts';
import type { EndpointSettings, Load, SimulatedEndpoint } from './project.ts';
import type { Profile } from './traffic.ts';

interface Scenario {
  readonly name: string;
  readonly profile: Profile;
  readonly settings: Pick<EndpointSettings, 'minCu' | 'maxCu' | 'suspendTimeoutSeconds'>;
  readonly load?: Load;
  /** Days before the present since when the project exists; since the beginning of the history by default. */
  readonly sinceDays?: number;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** One project for each reason why an endpoint uses compute that it might not need. */
export const scenarios: readonly Scenario[] = [
  { name: 'stock-sync', profile: 'ten-minute-cron', settings: fixed(1, 60), sinceDays: 40 },
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

/** An endpoint that did not suspend until three weeks ago: what that saved is known. */
const followed: Scenario = { name: 'night-reports', profile: 'nightly-cron', settings: fixed(1, -1) };
const followedDaysAgo = 21;
const followedDelaySeconds = 300;

/** An endpoint in production whose start failed some hours ago, and which a change of settings hangs at since then. */
const troubled: Scenario = { name: 'checkout-prod', profile: 'bursty', settings: fixed(2, 300) };
const failureBefore = 2 * hour + 40 * minute;
const failedStarts = 3;
const failedStartSeconds = 20;
const retrySeconds = 40;
const hangsAfterSeconds = 25 * minute;

/** A project in production that came within the present billing period. */
const added: Scenario = { name: 'billing-api', profile: 'working-hours', settings: fixed(4, 300) };
const addedDaysAgo = 12;

/** The history that scenarios are put into, epoch seconds. */
interface Span {
  readonly beginsAt: number;
  readonly now: number;
}

/** Creates the projects of all scenarios. */
export function scheduleScenarios(account: SimulatedAccount, { beginsAt, now }: Span): void {
  for (const [index, scenario] of scenarios.entries()) {
    const { sinceDays = Number.POSITIVE_INFINITY } = scenario;
    const blueprint = drawScenario(account, scenario, index);
    account.timeline.schedule(Math.max(beginsAt, now - sinceDays * day), () =>
      createProject(account, blueprint),
    );
  }
}

/** Creates projects with a story, unless the history is too short for it. */
export function scheduleStories(account: SimulatedAccount, { beginsAt, now }: Span): void {
  const stories = [
    { scenario: followed, at: now - followedDaysAgo * day, happen: suspendFromNowOn },
    { scenario: troubled, at: now - failureBefore, happen: failToStart },
    { scenario: added, at: now - addedDaysAgo * day, isNewThen: true },
  ];
  for (const [index, { scenario, at, happen, isNewThen = false }] of stories.entries()) {
    if (at <= beginsAt) continue;
    const blueprint = drawScenario(account, scenario, scenarios.length + index);
    account.timeline.schedule(isNewThen ? at : beginsAt, () => {
      const { endpoints } = createProject(account, blueprint);
      for (const endpoint of endpoints)
        if (happen !== undefined) account.timeline.schedule(at, () => happen(account, endpoint));
    });
  }
}

function suspendFromNowOn(account: SimulatedAccount, endpoint: SimulatedEndpoint): void {
  updateEndpoint(account, endpoint, undefined, { suspendTimeoutSeconds: followedDelaySeconds });
}

/** Clients come once it sleeps, are refused, and come again until it starts; then a change of its settings hangs. */
function failToStart(account: SimulatedAccount, endpoint: SimulatedEndpoint): void {
  const { project } = endpoint;
  const { timeline } = project;
  if (endpoint.state !== 'idle' || endpoint.pendingState !== undefined) {
    timeline.schedule(timeline.now + minute, () => failToStart(account, endpoint));
    return;
  }
  const failure = { totalSeconds: failedStartSeconds, fails: true, failuresCount: 3 };
  const begin = timeline.now;
  for (let attempt = 0; attempt <= failedStarts; attempt += 1) {
    const order = attempt < failedStarts ? failure : {};
    timeline.schedule(begin + attempt * retrySeconds, () => connect(endpoint, 10 * minute, order));
  }
  timeline.schedule(begin + hangsAfterSeconds, () =>
    beginOperation(project, { action: 'apply_config', branchId: endpoint.branch.id, endpoint }),
  );
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
