import { dayMs, hourMs, minuteMs, secondMs } from '../resources/duration.ts';

const unitMs = { d: dayMs, h: hourMs, m: minuteMs, s: secondMs, ms: 1 };

const durationPattern = /^(?:(?<d>\d+)d)?(?:(?<h>\d+)h)?(?:(?<m>\d+)m)?(?:(?<s>\d+)s)?(?:(?<ms>\d+)ms)?$/;

/** Milliseconds in `30s`, `15m`, `45d`, `1h30m` or `500ms`; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const groups = durationPattern.exec(text)?.groups;
  if (text === '' || groups === undefined) return undefined;
  let durationMs = 0;
  for (const [unit, ms] of Object.entries(unitMs)) durationMs += Number(groups[unit] ?? 0) * ms;
  return Number.isSafeInteger(durationMs) ? durationMs : undefined;
}
