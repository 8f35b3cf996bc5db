import * as v from 'valibot';
import { parse, stringify } from 'yaml';
import type { FailedTest } from './report.ts';

const mostFlakes = 5;
const longestDays = 14;
const dayMs = 24 * 60 * 60 * 1000;

const text = (key: string) => v.pipe(v.string(`it has no ${key}`), v.trim(), v.nonEmpty(`it has no ${key}`));
const entry = v.strictObject({
  file: text('file'),
  test: text('test'),
  listed: v.pipe(text('listed'), v.isoDate('listed is no date')),
  reason: text('reason'),
});

/** A test that fails now and then, with the date on which it was listed and why it fails. */
export type KnownFlake = v.InferOutput<typeof entry>;

/** Reads a list of known flakes, and says what is wrong with it on a date (YYYY-MM-DD). */
export function readKnownFlakes(
  yaml: string,
  today: string,
  exists: (file: string) => boolean,
): { readonly flakes: readonly KnownFlake[]; readonly faults: readonly string[] } {
  const entries = v.parse(v.array(v.unknown()), parse(yaml) ?? []);
  const flakes: KnownFlake[] = [];
  const faults = entries.length > mostFlakes ? [`${entries.length} entries, the most is ${mostFlakes}`] : [];
  for (const [index, value] of entries.entries()) {
    const read = v.safeParse(entry, value);
    const found = read.success ? ageFaults(read.output, today) : read.issues.map(({ message }) => message);
    if (read.success && !exists(read.output.file)) found.push(`there is no ${read.output.file}`);
    faults.push(...found.map(fault => `entry ${index + 1}: ${fault}`));
    if (read.success) flakes.push(read.output);
  }
  return { flakes, faults };
}

function ageFaults({ listed }: KnownFlake, today: string): string[] {
  const days = (Date.parse(today) - Date.parse(listed)) / dayMs;
  if (days < 0) return [`listed on ${listed}, which is to come`];
  return days > longestDays ? [`listed ${days} days ago, the most is ${longestDays}`] : [];
}

/** The entry of a flake that was found today, without its reason. */
export function renderEntry({ file, test }: FailedTest, today: string): string {
  return stringify([{ file, test, listed: today, reason: '' }], { lineWidth: 0 });
}
