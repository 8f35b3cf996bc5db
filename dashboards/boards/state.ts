import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { labelList } from '../promql.ts';
import { toMappings } from './look.ts';
import { onEndpoint, withProjectName } from './name.ts';
import { timeseries } from './panel.ts';
import { increaseInRange, scoped } from './scope.ts';
import { seriesBy } from './series.ts';

/** The states the specification names, with the number and the colour a timeline gives each. */
const states = [
  { state: 'stopped', code: 1, colour: 'text' },
  { state: 'idle', code: 2, colour: 'blue' },
  { state: 'init', code: 3, colour: 'yellow' },
  { state: 'active', code: 4, colour: 'green' },
] as const;
const otherCode = 5;

/** The same colour for a state on every board. */
export const stateColours: Readonly<Record<string, string>> = Object.fromEntries(
  states.map(({ state, colour }) => [state, colour]),
);

export const stateMappings = toMappings([
  ...states.map(({ state, code, colour }) => [code, state, colour] as const),
  [otherCode, 'another state', 'purple'],
]);

/** The state of each endpoint as a number that `stateMappings` turns into a word. */
export function stateCode(): string {
  const known = states.map(({ state, code }) => `${code} * ${scoped(endpointFamilies.state, { state })}`);
  const words = states.map(({ state }) => state).join('|');
  const other = `${otherCode} * ${scoped(endpointFamilies.state, { state: { notMatches: words } })}`;
  const without = labelList('without', endpointFamilies.state, 'state');
  return withProjectName(`max ${without} (${[...known, other].join(' or ')})`);
}

/**
 * 1 for each endpoint that is active, 0 for each that is not; a compact page has no samples of the states it is not in.
 */
export function isActive(): string {
  const active = scoped(endpointFamilies.state, { state: 'active' });
  return `(${active} or ${onEndpoint} 0 * ${scoped(endpointFamilies.info)})`;
}

/** Share of the time range each endpoint was active, of the time its state was known. */
export function activeShare(): string {
  const without = labelList('without', endpointFamilies.stateSeconds, 'state');
  const active = increaseInRange(endpointFamilies.stateSeconds, { state: 'active' });
  const known = increaseInRange(endpointFamilies.stateSeconds);
  return `sum ${without} (${active}) / (sum ${without} (${known}) > 0)`;
}

/** Panel of endpoints by state, on the boards of all projects and of all endpoints. */
export const statePanel = timeseries({
  title: 'Endpoints by state',
  description: 'What the endpoints are doing: active ones use compute, idle ones sleep.',
  stack: true,
  colours: stateColours,
  queries: [seriesBy('sum', endpointFamilies.state, ['state'])],
});
