import { expect, test } from 'vitest';
import { sampleValue } from '../support/exposition-reader.ts';
import { accountOf, openDaemon, openService, projectIds } from './open-daemon.ts';

test('branches are read where that is wished, and nothing asks for them where it is not', async ({
  onTestFinished,
}) => {
  const service = await openService(onTestFinished, { api: 'later', projects: 1 });
  const reading = await openDaemon(onTestFinished, [accountOf(service)], { branches: 'on' });
  const asked = { account: 'main', route: '/projects/{project_id}/branches', outcome: 'ok' };
  await reading.until(found => {
    const ids = projectIds(found);
    expect(ids).toHaveLength(1);
    for (const project_id of ids) {
      const shown = { account: 'main', project_id };
      expect(sampleValue(found, 'dbpm_project_branches', shown)).toBeGreaterThan(0);
      expect(sampleValue(found, 'dbpm_project_expired_branches', shown)).toBeGreaterThanOrEqual(0);
    }
    // It is counted apart from the page, a moment before that is taken.
    expect(sampleValue(found, 'dbpm_exporter_api_requests_total', asked)).toBe(1);
    expect(sampleValue(found, 'dbpm_collector_success', { account: 'main', collector: 'branches' })).toBe(1);
  });
  const idle = await openDaemon(onTestFinished, [accountOf(service)]);
  const others = await idle.until(found =>
    expect(sampleValue(found, 'dbpm_collector_success', { account: 'main', collector: 'operations' })).toBe(
      1,
    ),
  );
  const texts = others.map(({ name, labels }) => `${name} ${Object.values(labels).join(' ')}`);
  expect(texts.filter(text => text.includes('branches'))).toEqual([]);
});
