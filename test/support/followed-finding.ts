import { liveProjects } from '../../src/simulator/model/account.ts';
import { countUsage } from '../../src/simulator/model/endpoint.ts';
import { settle } from '../../src/simulator/model/endpoint-life.ts';
import { LivedHistory } from './lived-history.ts';

const bornSeconds = Date.UTC(2026, 9, 1) / 1000;
/** When the finding was followed, in seconds since 1970. */
export const followedSeconds = bornSeconds + 86_400;

/** A history with one finding that was followed: endpoints of the project `pooled-backend` suspend since two weeks ago. */
export function liveFollowedFinding(): LivedHistory {
  const life = new LivedHistory({ now: bornSeconds, seed: 31, projects: 0, showcase: true, historyDays: 30 });
  const pace = { listEverySeconds: 7200, projectsEvery: 1 };
  life.watch(followedSeconds - bornSeconds, pace);
  const project = liveProjects(life.account).find(({ name }) => name === 'pooled-backend');
  for (const endpoint of project?.endpoints ?? []) {
    countUsage(endpoint);
    endpoint.settings = { ...endpoint.settings, suspendTimeoutSeconds: 300 };
    settle(endpoint);
  }
  life.watch(16 * 86_400, pace);
  return life;
}
