import { expect, onTestFinished, test, vi } from 'vitest';
import { Heartbeat } from '../../src/daemon/heartbeat.ts';
import { createLogger } from '../../src/log/logger.ts';
import { accountOf, eventually, openDaemon, openLeftHistory } from './open-daemon.ts';

const hour = 3_600_000;

/** A heartbeat on a clock of its own, and its lines. */
function openHeartbeat(everyMs: number) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const state = { isComplete: false, readings: 0 };
  const write = (line: string) => lines.push(line.trim().replace(/^time=\S+ /, ''));
  const heartbeat = new Heartbeat({
    log: createLogger({ level: 'info', format: 'logfmt', write }),
    everyMs,
    isComplete: () => state.isComplete,
    describe: () => ({ readings: state.readings }),
  });
  onTestFinished(() => heartbeat.close());
  return { lines, state };
}

test('the first line comes once everything was read, and then one an hour', () => {
  const { lines, state } = openHeartbeat(hour);
  vi.advanceTimersByTime(90_000);
  expect(lines).toEqual([]);
  Object.assign(state, { isComplete: true, readings: 12 });
  vi.advanceTimersByTime(1000);
  vi.advanceTimersByTime(2 * hour);
  expect(lines).toEqual([
    'level=info msg=heartbeat period=1m31s readings=12',
    'level=info msg=heartbeat period=1h readings=12',
    'level=info msg=heartbeat period=1h readings=12',
  ]);
});

test('a line comes every hour though the first reading is never complete', () => {
  const { lines } = openHeartbeat(hour);
  vi.advanceTimersByTime(3 * hour);
  expect(lines).toHaveLength(3);
});

test('no line comes where none is wanted', () => {
  const { lines, state } = openHeartbeat(0);
  state.isComplete = true;
  vi.advanceTimersByTime(100 * hour);
  expect(lines).toEqual([]);
});

test('a restart says what is known of each account, and its first heartbeat what was read', async () => {
  const { service, folder } = await openLeftHistory(onTestFinished);
  const down = accountOf(service, { name: 'second', base_url: new URL('http://127.0.0.1:9/') });
  const daemon = await openDaemon(onTestFinished, [accountOf(service), down], { folder, heartbeatMs: hour });
  const heartbeat = await eventually(async () => {
    const line = daemon.lines.find(each => each.includes('msg=heartbeat'));
    expect(line).toBeDefined();
    return line;
  });
  const watching = daemon.lines.filter(line => line.includes('msg=watching'));
  expect(watching.map(line => line.replace(/^time=\S+ |\n/g, ''))).toEqual([
    expect.stringMatching(/ account=main requests_per_minute=60000 known_projects=2 known_endpoints=\d$/),
    expect.stringMatching(/ account=second requests_per_minute=60000$/),
  ]);
  expect(heartbeat).toMatch(
    / period=\S+ accounts=2 down=second projects=2 endpoints=\d readings=\d+ failed_readings=[1-9]\d* oldest_reading=\S+ requests=\d+ failed_requests=[1-9]\d* budget_per_minute=120000 series=\d{3,} history_bytes=\d{5,} problems=[1-9]\d*\n$/,
  );
});
