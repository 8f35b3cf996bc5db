import { describe, expect, it } from 'vitest';
import { readExposition, type Sample } from '../support/exposition-reader.ts';
import { accountOf, type Daemon, eventually, openDaemon, openService, untilTrue } from './open-daemon.ts';

/** How many endpoints and how many series each project has; what is found about its use comes on top. */
function weighProjects(samples: readonly Sample[]): readonly { endpoints: number; series: number }[] {
  const byProject = Map.groupBy(
    samples.filter(({ labels }) => labels.project_id !== undefined && labels.finding === undefined),
    ({ labels }) => labels.project_id,
  );
  return [...byProject.values()].map(each => ({
    endpoints: each.filter(({ name }) => name === 'dbpm_endpoint_info').length,
    series: each.length,
  }));
}

/** Waits until every project was read, with its operations. */
const untilRead = (daemon: Daemon, projects: number) =>
  eventually(async () => {
    const samples = readExposition(await daemon.read('/metrics'));
    const read = samples.filter(({ name }) => name === 'dbpm_operation_attempt_failures_total');
    expect(read).toHaveLength(projects);
    return samples;
  });

describe.concurrent('a daemon with a compact page', () => {
  it('has twenty series or fewer for each project with one endpoint, whatever goes on', async ({
    onTestFinished,
  }) => {
    const service = await openService(onTestFinished, {
      projects: 60,
      historyDays: 30,
      pendingInLists: true,
    });
    const daemon = await openDaemon(onTestFinished, [accountOf(service)], { series: { mode: 'compact' } });
    const found = [...weighProjects(await untilRead(daemon, 60))];
    const { projects } = await service.tellTruth();
    for (const project of projects.slice(0, 20)) {
      const [endpoint] = project.endpoints;
      await service.control('POST', `/endpoints/${endpoint?.endpoint_id}/connect`, { seconds: 60 });
    }
    await daemon.until(samples => {
      expect(samples.filter(({ name }) => name === 'dbpm_endpoint_pending_state').length).toBeGreaterThan(5);
      found.push(...weighProjects(samples));
    });
    const most = (endpoints: number) =>
      Math.max(...found.filter(each => each.endpoints === endpoints).map(({ series }) => series));
    expect(most(1)).toBeLessThanOrEqual(20);
    expect(most(1)).toBeGreaterThan(16);
    expect(most(2)).toBeLessThanOrEqual(20 + 9);
  });
});

describe.concurrent('a daemon that was told to leave metrics out', () => {
  it('shows the others as ever', async ({ onTestFinished }) => {
    const service = await openService(onTestFinished);
    const whole = await openDaemon(onTestFinished, [accountOf(service)]);
    const exclude = ['dbpm_endpoint_state*', 'dbpm_api_key_*'];
    const part = await openDaemon(onTestFinished, [accountOf(service)], { series: { exclude } });
    await untilTrue(whole, service);
    const namesOf = async (daemon: Daemon) =>
      new Set((await daemon.scrape()).map(({ name }) => name).filter(name => name.startsWith('dbpm_')));
    await eventually(async () => {
      const names = await namesOf(part);
      const missing = [...(await namesOf(whole))].filter(name => !names.has(name));
      expect(missing).toEqual([
        'dbpm_endpoint_state',
        'dbpm_endpoint_state_seconds_total',
        'dbpm_api_key_info',
        'dbpm_api_key_created_timestamp_seconds',
        'dbpm_api_key_last_used_timestamp_seconds',
        'dbpm_api_key_idle_since_timestamp_seconds',
        'dbpm_api_key_stale',
        'dbpm_api_key_source_address_changes_total',
      ]);
    });
    expect(await part.read('/metrics')).not.toContain('dbpm_endpoint_state');
  });
});
