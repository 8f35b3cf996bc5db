import { type KnownFlake, renderEntry } from './known-flake.ts';
import type { FailedTest, Report } from './report.ts';

interface Verdict {
  readonly isGood: boolean;
  /** Lines to be printed, the closing line last. */
  readonly text: string;
}

/**
 * Judges a run of the tests.
 *
 * @param passedAlone tests that failed in it and passed when they were run again alone.
 * @param today the date of entries for flakes that are not listed, YYYY-MM-DD.
 */
export function judge(
  { passed, failed, skipped, errors, reasons }: Report,
  passedAlone: readonly FailedTest[],
  flakes: readonly KnownFlake[],
  today: string,
): Verdict {
  const isIn = (list: readonly FailedTest[], { file, test }: FailedTest) =>
    list.some(each => each.file === file && each.test === test);
  const excused = failed.filter(each => isIn(passedAlone, each) && isIn(flakes, each));
  const unknown = passedAlone.filter(each => !isIn(flakes, each));
  const bad = failed.length - excused.length + errors;
  const entries = unknown.map(each => renderEntry(each, today)).join('');
  const lines = [
    ...reasons.map(reason => `skipped: ${reason}`),
    ...passedAlone.map(({ file, test }) => `flaky: ${file} > ${test}`),
    ...(unknown.length > 0
      ? [`not in test/gate/known-flakes.yaml, where it needs a reason:\n${entries.trimEnd()}`]
      : []),
    `${passed + excused.length} passed, ${bad} failed, ${skipped} skipped`,
  ];
  return { isGood: bad === 0, text: `\n${lines.join('\n')}\n` };
}
