import { describe, expect, it } from 'vitest';
import type { LogFields, Logger } from '../../src/log/logger.ts';
import { ProblemLog } from '../../src/log/problem-log.ts';

const minute = 60_000;

/** A problem log on a clock of its own that keeps the fields of its lines. */
function openProblemLog() {
  const lines: LogFields[] = [];
  const clock = { now: Date.UTC(2026, 0, 1) };
  const unexpected = () => {
    throw new Error('only warnings are expected');
  };
  const log: Logger = {
    debug: unexpected,
    info: unexpected,
    error: unexpected,
    child: () => log,
    warn: (...[fields]) => {
      if (typeof fields === 'object') lines.push(fields);
    },
  };
  return { problems: new ProblemLog(log, () => clock.now), lines, clock };
}

describe('a problem', () => {
  const about = { account: 'main', collector: 'projects' };
  const error = new Error('500 from GET /projects');

  it('is logged when it is new, with what it is about', () => {
    const { problems, lines } = openProblemLog();
    problems.report(about, error, { project_id: 'p' });
    expect(lines).toEqual([{ ...about, project_id: 'p', err: error }]);
  });

  it('that lasts is logged every five minutes, with how often it occurred in between', () => {
    const { problems, lines, clock } = openProblemLog();
    for (let count = 0; count < 21; count += 1) {
      problems.report(about, error);
      clock.now += minute / 2;
    }
    expect(lines.map(({ repeats }) => repeats)).toEqual([undefined, 9, 9]);
  });

  it('is told from another one of the same account, and of another account', () => {
    const { problems, lines } = openProblemLog();
    problems.report(about, error);
    problems.report(about, new Error('timeout'));
    problems.report({ ...about, account: 'second' }, error);
    problems.report({ ...about, collector: 'api_keys' }, error);
    problems.report(about, error, { project_id: 'another' });
    expect(lines).toHaveLength(4);
  });

  it('that comes back after it was forgotten is new', () => {
    const { problems, lines, clock } = openProblemLog();
    problems.report(about, error);
    problems.report(about, error);
    clock.now += 60 * minute;
    problems.report(about, new Error('something else'));
    problems.report(about, error);
    expect(lines.map(({ repeats }) => repeats)).toEqual([undefined, undefined, undefined]);
  });
});
