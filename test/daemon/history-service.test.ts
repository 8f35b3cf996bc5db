import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { HistoryEvent, HistoryWorkerOptions } from '../../src/daemon/history-message.ts';
import { HistoryService } from '../../src/daemon/history-service.ts';
import { endGzip } from '../../src/metrics/page/gzip.ts';
import { PageSet } from '../../src/metrics/page/page-set.ts';
import { collectors } from '../../src/resources/collector.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { day, minute, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';
import { withUse } from '../support/sample-usage.ts';

function openService(folder: HistoryFolder) {
  const options: HistoryWorkerOptions = {
    file: folder.file,
    accounts: ['main'],
    collectors,
    selection: { mode: 'full', exclude: [], collectors },
    staleAfterMs: 45 * day,
    dropAfterMs: 10 * minute,
  };
  const events: HistoryEvent[] = [];
  const service = new HistoryService(options, event => events.push(event));
  onTestFinished(() => service.serve({ kind: 'close' }));
  service.open();
  const kinds = () => events.splice(0).map(({ kind }) => kind);
  const readPage = () => {
    service.serve({ kind: 'assemble', format: 'text' });
    const assembled = events.findLast(event => event.kind === 'assembled');
    if (assembled === undefined) throw new Error('there is no page');
    const { gzip, crc, bytes } = assembled.body;
    return gunzipSync(Buffer.concat([gzip, endGzip(Buffer.alloc(0), crc, bytes)])).toString();
  };
  return { service, events, kinds, readPage };
}

const usage = { kind: 'usage', view: withUse({ currency: 'EUR', cost: 2.5 }), accruals: [] } as const;

test('a page that could not be published after a usage update shows all of its changes when it next is', async () => {
  using folder = new HistoryFolder();
  const { service, kinds, readPage } = openService(folder);
  service.serve({
    kind: 'record',
    readings: [projectsReading(startAt, [wireProject('p')])],
    budgets: new Map(),
  });
  kinds();
  vi.spyOn(PageSet.prototype, 'publish').mockImplementationOnce(() => {
    throw new RangeError('Array buffer allocation failed');
  });
  service.serve(usage);
  expect(kinds()).toEqual(['unpublished', 'usage_shown']);
  service.serve(usage);
  expect(kinds()).toEqual(['published', 'usage_shown']);
  expect(readPage()).toContain('dbpm_project_info{account="main",project_id="p"');
});
