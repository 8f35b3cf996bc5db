import { hash } from '../../../src/simulator/model/random.ts';

/** How many rounds a project stays busy. */
const roundsBusy = 20;

/**
 * Which of `count` projects are busy in a round: the same ones for a while, spread over the fleet, a twentieth of them
 * relieved by others each round.
 */
export function busyProjects(count: number, share: number, round: number): ReadonlySet<number> {
  const busy = new Set<number>();
  for (let turn = 0; turn < Math.round(count * share); turn += 1) {
    busy.add(hash('busy', turn, Math.floor((round + turn) / roundsBusy)) % count);
  }
  return busy;
}
