import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import { writeMaybeInstant } from '../../answer-field.ts';
import type { LiveState } from '../../live-state.ts';
import type { Running } from './overview-answer.ts';

/** So many active endpoints are named. */
const mostActive = 5;

/** Endpoints by state, and those that are active now. */
export function findRunning({ fleet }: BrowsedHistory, { overviews }: LiveState): Running {
  const states = fleet.states();
  return {
    projects: overviews.reduce((sum, { projects }) => sum + projects, 0),
    endpoints: states.reduce((sum, { endpoints }) => sum + endpoints, 0),
    states: states.map(each => ({ ...each })),
    active: fleet.active(mostActive).map(({ since_at, ...endpoint }) => ({
      ...endpoint,
      since: writeMaybeInstant(since_at),
    })),
  };
}
