import { hourMs } from '../../resources/duration.ts';
import type { EndpointHistory } from '../../resources/endpoint-history.ts';
import { computeHourMs } from '../../resources/usage/ledger.ts';
import { awakeMs } from './awake-time.ts';
import type { Detector } from './detector.ts';
import { sayCount } from './phrase.ts';

/** Use may differ by so much from the smallest size all the time. */
const tolerance = 0.02;
/** Below it autoscaling is not supported. */
const smallestFloorCu = 1;

/** It scales, but never above its smallest size: that size sets the price, and a smaller one may do. */
export const floorSize: Detector = past => {
  const { minCu, maxCu, usedCuMs } = past;
  if (minCu === undefined || maxCu === undefined || usedCuMs === undefined) return undefined;
  if (minCu >= maxCu || minCu <= smallestFloorCu || !isAtFloor(past)) return undefined;
  const smallerCu = Math.max(smallestFloorCu, Math.ceil(minCu) - 1);
  const saved = (minCu - smallerCu) / minCu;
  return {
    kind: 'floor_size',
    // Its use does not show whether less would have done.
    spared: { most: past.awake.map(() => saved) },
    evidence:
      `It may scale from ${minCu} to ${maxCu} CU, but used ${Math.round((10 * usedCuMs) / computeHourMs) / 10} compute hours in ` +
      `${sayCount(awakeMs(past) / hourMs, 'hour')} awake: never more than its smallest size.`,
    advice: `Set its smallest size to ${smallerCu} CU: it can still scale up.`,
    share: saved,
  };
};

/** Whether it never used more than its smallest size, as far as its use is known. */
export function isAtFloor(past: EndpointHistory): boolean {
  const { minCu = 0, usedCuMs } = past;
  const atFloorCuMs = minCu * awakeMs(past);
  return usedCuMs !== undefined && atFloorCuMs > 0 && Math.abs(usedCuMs / atFloorCuMs - 1) <= tolerance;
}
