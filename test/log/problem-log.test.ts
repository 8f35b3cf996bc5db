import { expect, it } from 'vitest';
import { createLogger } from '../../src/log/logger.ts';
import { ProblemLog } from '../../src/log/problem-log.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const startAt = Date.UTC(2026, 0, 1);

const lists = { level: 'warn', failed: 'a reading failed', recovered: 'readings succeed again' } as const;
const writing = { level: 'error', failed: 'writing failed', recovered: 'it is written again' } as const;
const about = { account: 'main', collector: 'projects' };

/** A failure of the service whose message is another one each time. */
let requests = 0;
function unavailable(reason = 'unavailable'): Error {
  requests += 1;
  return Object.assign(new Error(`request_id ${requests}`), { reason });
}

/** A problem log on a clock of its own, and its lines after the time since the start. */
function openProblemLog() {
  const clock = { now: startAt };
  const lines: string[] = [];
  const write = (line: string) => {
    const words = line.trim().replace(/^time=\S+ /, '');
    lines.push(`${(clock.now - startAt) / second}s ${words.replace(/ err\.\S+=(".*?"|\S+)/g, '')}`);
  };
  const log = createLogger({ level: 'info', format: 'logfmt', write, now: () => clock.now });
  const problems = new ProblemLog(log, { now: () => clock.now, toHostClock: at => at + 24 * hour });
  /** Does something every ten seconds for a while. */
  const during = (durationMs: number, act: (round: number) => void) => {
    for (let round = 0; round < durationMs / (10 * second); round += 1) {
      act(round);
      clock.now += 10 * second;
    }
  };
  return { problems, lines, clock, during };
}

it('says of a failure that lasts when it begins, ever less often, and when it is over', () => {
  const { problems, lines, during } = openProblemLog();
  during(3 * hour, () => problems.fail(lists, about, unavailable()));
  problems.succeed(lists, about);
  during(10 * minute, () => problems.succeed(lists, about));
  const lasting = 'level=warn msg="a reading failed" account=main collector=projects';
  const since = 'since=2026-01-02T00:00:00.000Z';
  expect(lines).toEqual([
    `0s ${lasting}`,
    `60s ${lasting} failures=7 ${since}`,
    `600s ${lasting} failures=61 ${since}`,
    `3600s ${lasting} failures=361 ${since}`,
    `7200s ${lasting} failures=721 ${since}`,
    '10800s level=info msg="readings succeed again" account=main collector=projects reason=unavailable failures=1080 lasted=3h',
  ]);
});

it('tells problems apart by the work, what it is about and the reason, not by the message', () => {
  const { problems, lines, during } = openProblemLog();
  during(minute, () => {
    problems.fail(lists, about, unavailable());
    problems.fail(lists, about, unavailable('timeout'));
    problems.fail(lists, { ...about, account: 'second' }, unavailable());
    problems.fail(writing, {}, Object.assign(new Error('no room'), { code: 'SQLITE_FULL' }));
    problems.fail(writing, {}, new RangeError('too many'));
  });
  expect(lines).toHaveLength(5);
  expect(problems.lasting).toBe(5);
  problems.succeed(writing, {});
  expect(lines.slice(5)).toEqual([
    '60s level=info msg="it is written again" reason=SQLITE_FULL failures=6 lasted=1m',
    '60s level=info msg="it is written again" reason=RangeError failures=6 lasted=1m',
  ]);
  expect(problems.lasting).toBe(3);
});

it('says of many projects that fail for one reason once that they do, and once that all succeed again', () => {
  const { problems, lines, during } = openProblemLog();
  const endpoints = { account: 'main', collector: 'endpoints' };
  const ids = ['a', 'b', 'c'];
  during(2 * minute, () => {
    for (const id of ids) problems.fail(lists, endpoints, unavailable(), id);
  });
  problems.succeed(lists, endpoints, 'a');
  problems.succeed(lists, endpoints, 'another');
  problems.succeed(lists, endpoints, 'c');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('project_id=a failures=19 projects=3 since=');
  problems.succeed(lists, endpoints, 'b');
  expect(lines.slice(2)).toEqual([
    '120s level=info msg="readings succeed again" account=main collector=endpoints reason=unavailable failures=36 lasted=2m',
  ]);
});

it('does not fill the log where failures and successes take turns', () => {
  const { problems, lines, during } = openProblemLog();
  during(2 * hour, round => {
    if (round % 2 === 0) problems.fail(lists, about, unavailable());
    else problems.succeed(lists, about);
  });
  during(10 * minute, () => problems.succeed(lists, about));
  expect(lines.map(line => line.replace(/ account=main collector=projects/, ''))).toEqual([
    '0s level=warn msg="a reading failed"',
    '10s level=info msg="readings succeed again" reason=unavailable failures=1 lasted=10s',
    '60s level=warn msg="a reading failed" failures=4 since=2026-01-02T00:00:00.000Z',
    '80s level=warn msg="a reading failed" failures=5 since=2026-01-02T00:00:00.000Z',
    '620s level=warn msg="a reading failed" failures=32 since=2026-01-02T00:00:00.000Z',
    '3620s level=warn msg="a reading failed" failures=182 since=2026-01-02T00:00:00.000Z',
    '7790s level=info msg="readings succeed again" reason=unavailable failures=360 lasted=2h',
  ]);
});

it('says at once that what was over has returned, and goes on as with a new failure', () => {
  const { problems, lines, during } = openProblemLog();
  during(minute, () => problems.fail(lists, about, unavailable()));
  during(5 * minute, () => problems.succeed(lists, about));
  during(2 * minute, () => problems.fail(lists, about, unavailable()));
  expect(lines.map(line => line.split(' account')[0])).toEqual([
    '0s level=warn msg="a reading failed"',
    '60s level=info msg="readings succeed again"',
    '360s level=warn msg="a reading failed"',
    '420s level=warn msg="a reading failed"',
  ]);
});

it('takes what fails after ten good minutes for something new', () => {
  const { problems, lines, during } = openProblemLog();
  problems.fail(lists, about, unavailable());
  during(11 * minute, () => problems.succeed(lists, about));
  problems.fail(lists, about, unavailable());
  expect(lines.at(-1)).toBe('660s level=warn msg="a reading failed" account=main collector=projects');
});

it('forgets without a word what is not tried any more', () => {
  const { problems, lines, during } = openProblemLog();
  problems.fail(lists, { account: 'main', collector: 'endpoints' }, unavailable(), 'gone');
  during(hour, () => problems.succeed(lists, about));
  problems.fail(writing, {}, unavailable());
  expect(problems.lasting).toBe(1);
  expect(lines.map(line => line.split(' account')[0])).toEqual([
    '0s level=warn msg="a reading failed"',
    '3600s level=error msg="writing failed"',
  ]);
});

it('tells the cause and the remedy of what lasts as the log does, and no secret', () => {
  const log = createLogger({
    level: 'info',
    format: 'logfmt',
    write: () => {},
    secrets: () => ['key-0123456789'],
  });
  const problems = new ProblemLog(log, { now: () => startAt, toHostClock: at => at });
  const cause = new Error('the service says: key-0123456789 is unknown');
  problems.fail(lists, about, unavailable());
  problems.fail(
    lists,
    about,
    Object.assign(new Error('401 from GET /projects', { cause }), {
      ...{ reason: 'unavailable', advice: 'key-0123456789 is unknown; make another one' },
    }),
  );
  expect(problems.list()).toMatchObject([
    {
      ...{ failures: 2, message: '401 from GET /projects: the service says: [redacted] is unknown' },
      ...{ advice: '[redacted] is unknown; make another one', lastAt: startAt },
    },
  ]);
});
