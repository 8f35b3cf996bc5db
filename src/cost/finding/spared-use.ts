import { hourMs } from '../../resources/duration.ts';
import type { EndpointHistory } from '../../resources/endpoint-history.ts';
import { awakeMs, lengthMs } from './awake-time.ts';

/** Compute hours of each awake span, at the endpoint's mean size while it was awake. */
export function spanHoursOf(past: EndpointHistory): number[] {
  const cu = cuWhileAwake(past);
  return past.awake.map(span => (lengthMs(span) * cu) / hourMs);
}

/** Compute hours of awake spans; changes spare parts of them one after another. */
export class RemainingHours {
  #hours: readonly number[];
  /** The part of each span that is spared as waiting already. */
  #waiting: readonly number[];

  constructor(hours: readonly number[]) {
    this.#hours = hours;
    this.#waiting = hours.map(() => 0);
  }

  /** Hours that a change would spare of what is left. */
  measure(parts: readonly number[], isOfWaiting = false): number {
    const own = isOfWaiting ? this.#beyondWaiting(parts) : parts;
    return this.#hours.reduce((total, hours, index) => total + hours * (own[index] ?? 0), 0);
  }

  /** @returns the hours that the change spares of what was left. */
  spare(parts: readonly number[], isOfWaiting = false): number {
    const spared = this.measure(parts, isOfWaiting);
    const own = isOfWaiting ? this.#beyondWaiting(parts) : parts;
    this.#hours = this.#hours.map((hours, index) => hours * (1 - (own[index] ?? 0)));
    if (isOfWaiting) this.#waiting = this.#waiting.map((part, index) => Math.max(part, parts[index] ?? 0));
    return spared;
  }

  #beyondWaiting(parts: readonly number[]): number[] {
    return parts.map((part, index) => beyond(part, this.#waiting[index] ?? 0));
  }
}

/** A part of a span beyond another part of it that is spared already, as a part of what is left then. */
export function beyond(part: number, spared: number): number {
  return part <= spared ? 0 : (part - spared) / (1 - spared);
}

/** Compute hours to a millionth, as savings are told. */
export function roundHours(hours: number): number {
  return Math.round(hours * 1e6) / 1e6;
}

/** The endpoint's mean size in CU while it was awake; its smallest size where its usage is not known. */
export function cuWhileAwake(past: EndpointHistory): number {
  const { minCu = 0, usedCuMs, sharedCuMs } = past;
  const used = usedCuMs ?? sharedCuMs;
  return used === undefined ? minCu : used / awakeMs(past);
}
