/** How many rounds a project stays busy. */
const roundsBusy = 20;
/** Divides no size of a fleet in use, so that its multiples meet every project once. */
const stride = 7919;

/**
 * Which of `count` projects are busy in a round: the same ones for a while, spread over the fleet, a twentieth of them
 * relieved by others each round.
 */
export function busyProjects(count: number, share: number, round: number): ReadonlySet<number> {
  const places = Math.round(count * share);
  const busy = new Set<number>();
  for (let place = 0; place < places; place += 1) {
    const shift = Math.floor((round + place) / roundsBusy);
    busy.add(((place + places * shift) * stride) % count);
  }
  return busy;
}
