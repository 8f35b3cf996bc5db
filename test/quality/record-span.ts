import { hourMs } from '../../src/resources/duration.ts';
import type { Random } from '../../src/simulator/model/random.ts';

/** A month of 2026, and how many days before it began the daemon was installed. */
export function drawSpan(random: Random): {
  readonly firstHourAt: number;
  readonly hourCount: number;
  readonly monthDays: number;
} {
  const month = random.integer(0, 11);
  const daysBefore = random.pick([0, 6, 13, 24, 45, 60]);
  const monthDays = new Date(Date.UTC(2026, month + 1, 0)).getUTCDate();
  const hourCount = (daysBefore + monthDays) * 24;
  return { firstHourAt: Date.UTC(2026, month + 1, 1) - hourCount * hourMs, hourCount, monthDays };
}
