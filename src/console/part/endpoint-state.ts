import { isResting } from '../../resources/endpoint.ts';
import { shownName } from './shown-text.ts';

/** Whether a state is awake, asleep, or neither as far as its word tells. */
export function wakefulness(state: string): 'awake' | 'asleep' | 'unknown' {
  if (state === 'active') return 'awake';
  return isResting(state) ? 'asleep' : 'unknown';
}

/** A state of an endpoint as people read it: `awake`, `asleep`, or the word of the service where it is neither. */
export function sayEndpointState(state: string | null): string {
  if (state === null) return 'not known';
  const kind = wakefulness(state);
  return kind === 'unknown' ? shownName(state) : kind;
}
