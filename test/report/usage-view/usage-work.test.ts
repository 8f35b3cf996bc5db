import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UsageWork } from '../../../src/report/usage-view/usage-work.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { usualUsage } from '../../support/usage-options.ts';

test('what is ordered of the thread while use is worked out comes before the next step of it', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, projects: 3, historyDays: 4 });
  life.readLists();
  life.readProjects();
  // It works once, and is not to go on after the test.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { port1: ordering, port2: hearing } = new MessageChannel();
  onTestFinished(() => {
    vi.useRealTimers();
    ordering.close();
  });
  const events: string[] = [];
  hearing.on('message', () => events.push('order'));
  const options = { ...usualUsage, historyFile: life.folder.file };
  ordering.postMessage('a report');
  const note = (event: string) => () => void events.push(event);
  await new UsageWork(options, {
    onCalculated: () => {},
    onUnknown: note('unknown'),
    onDone: note('done'),
    onFailed: note('failed'),
  }).run();
  expect(events).toEqual(['order', 'done']);
});
