import { expect, test } from 'vitest';
import { type Sample, sampleValue } from '../support/exposition-reader.ts';
import type { Truth } from '../support/truth.ts';
import { accountOf, type Daemon, openDaemon, openFolder, openService } from './open-daemon.ts';

const requests = 'dbpm_exporter_api_requests_total';
const ofOne = { account: 'main', route: '/projects/{project_id}', outcome: 'ok' };
const fromEach = { account: 'main', source: 'project' };

/** Compute seconds of each project that used any. */
function shown(samples: readonly Sample[]): Readonly<Record<string, number>> {
  const totals = samples.filter(({ name }) => name === 'dbpm_project_cpu_used_seconds_total');
  return Object.fromEntries(totals.map(({ labels, value }) => [labels.project_id ?? '', value]));
}

function used({ projects }: Truth): Readonly<Record<string, number>> {
  const live = projects.filter(({ deleted }) => !deleted);
  return Object.fromEntries(live.map(each => [each.project_id, Math.floor(each.cpu_used_sec_ever)]));
}

test('where the list tells no use, each project does: counters are true over use and a restart, for few requests', async ({
  onTestFinished,
}) => {
  const service = await openService(onTestFinished, { api: 'later', listCpu: 'absent', projects: 3 });
  const folder = openFolder(onTestFinished);
  const open = () => openDaemon(onTestFinished, [accountOf(service)], { folder });
  const untilTrue = (daemon: Daemon) =>
    daemon.until(async samples => {
      expect(shown(samples)).toEqual(used(await service.tellTruth()));
      expect(sampleValue(samples, 'dbpm_account_cpu_source_info', fromEach)).toBe(1);
    });
  const [project] = (await service.tellTruth()).projects;
  const [endpoint] = project?.endpoints ?? [];
  const work = async () => {
    await service.control('POST', `/endpoints/${endpoint?.endpoint_id}/connect`, { seconds: 300 });
    await service.control('POST', '/advance', { seconds: 400 });
    // What was used may show later.
    await service.control('POST', '/advance', { seconds: 1000 });
  };
  const daemon = await open();
  const first = await untilTrue(daemon);
  // Requests are counted apart from the page, a moment before that is taken.
  const counted = await daemon.until(samples => expect(sampleValue(samples, requests, ofOne)).toBe(3));
  expect(sampleValue(counted, requests, { ...ofOne, outcome: 'not_found' })).toBe(0);
  await work();
  const second = await untilTrue(daemon);
  expect(shown(second)[project?.project_id ?? '']).toBeGreaterThan(
    shown(first)[project?.project_id ?? ''] ?? 0,
  );
  expect(sampleValue(second, requests, ofOne)).toBeLessThanOrEqual(3 + 3 * 3);
  await daemon.close();
  await work();
  const again = await open();
  const third = await untilTrue(again);
  // A project that was not awake meanwhile is not asked for.
  expect(sampleValue(third, requests, ofOne) ?? 0).toBeLessThanOrEqual(3);
  expect(
    sampleValue(third, 'dbpm_project_cpu_used_resets_total', { project_id: project?.project_id ?? '' }),
  ).toBe(0);
});

test('a setting moves the counters to each project and back, without a step', async ({ onTestFinished }) => {
  const service = await openService(onTestFinished, { api: 'later', projects: 2 });
  const folder = openFolder(onTestFinished);
  let before: Readonly<Record<string, number>> | undefined;
  for (const cpuSource of ['list', 'project', 'auto', 'list'] as const) {
    const daemon = await openDaemon(onTestFinished, [accountOf(service, { cpuSource })], { folder });
    const isEach = cpuSource === 'project' || (cpuSource === 'auto' && before !== undefined);
    const samples = await daemon.until(all => {
      expect(sampleValue(all, 'dbpm_account_cpu_source_info', fromEach)).toBe(isEach ? 1 : undefined);
      expect(sampleValue(all, requests, ofOne) ?? 0).toBe(cpuSource === 'project' ? 2 : 0);
      expect(sampleValue(all, 'dbpm_up', { account: 'main' })).toBe(1);
      expect(Object.keys(shown(all))).toHaveLength(2);
    });
    before ??= shown(samples);
    expect({ cpuSource, ...shown(samples) }).toEqual({ cpuSource, ...before });
    await daemon.close();
  }
});

test('the service of the specification is asked for no project, and the page says nothing of it', async ({
  onTestFinished,
}) => {
  const service = await openService(onTestFinished);
  const daemon = await openDaemon(onTestFinished, [accountOf(service)]);
  await daemon.until(all => expect(Object.keys(shown(all))).toHaveLength(2));
  const page = await daemon.read('/metrics');
  expect(page).not.toContain('dbpm_account_cpu_source_info');
  expect(page).not.toContain('route="/projects/{project_id}"');
});
