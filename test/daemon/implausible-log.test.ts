import { expect, test } from 'vitest';
import { ImplausibleLog } from '../../src/daemon/repeated-work.ts';
import { createLogger } from '../../src/log/logger.ts';
import { ProblemLog } from '../../src/log/problem-log.ts';
import { projectsReading, startAt } from '../support/reading-builder.ts';

function openLog() {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'logfmt', write: line => lines.push(line) });
  const clock = { now: () => startAt, toHostClock: (at: number) => at };
  return { lines, readings: new ImplausibleLog(new ProblemLog(log, clock)) };
}

test('a value below nothing is called so', () => {
  const { lines, readings } = openLog();
  readings.note(projectsReading(startAt, []), [{ field: 'cpu_used_sec', id: 'p1', value: -5 }]);
  expect(lines[0]).toContain('cpu_used_sec of \\"p1\\" is -5: it cannot be below 0');
});

test('a value that cannot be true is over once a whole list holds none, and not with its next page', () => {
  const { lines, readings } = openLog();
  const huge = { field: 'cpu_used_sec', id: 'p1', value: 9e12 } as const;
  const page = { ...projectsReading(startAt, []), complete: false };
  const last = projectsReading(startAt, []);
  readings.note(page, [huge]);
  readings.note(page, []);
  readings.note(last, []);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('field=cpu_used_sec err.message="cpu_used_sec of \\"p1\\" is 9000000000000');
  readings.note(page, []);
  readings.note(last, []);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('level=info msg="the service reports nothing any more that cannot be true"');
});
