import { describe, it } from 'vitest';
import { sampleValue } from '../support/exposition-reader.ts';
import { eventually, openWatched, projectIds, untilTrue } from './open-daemon.ts';

interface OperationBody {
  readonly updated_at: string;
}

describe.concurrent('a project', () => {
  it('that appears has its counters born at 0, and its first failure shows by its time', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon } = await openWatched(onTestFinished);
    await service.control('POST', '/advance', { seconds: 600 });
    const { id: project_id } = await service.control<{ id: string }>('POST', '/projects', { name: 'new' });
    const failed = { project_id, action: 'apply_config', status: 'failed' };
    const lastFailure = 'dbpm_operation_last_failure_timestamp_seconds';
    await daemon.until(samples => {
      expect(sampleValue(samples, 'dbpm_operations_total', failed)).toBe(0);
      expect(sampleValue(samples, lastFailure, { project_id })).toBeUndefined();
    });
    const { updated_at } = await service.control<OperationBody>('POST', '/operations', {
      ...failed,
      failures_count: 3,
    });
    const samples = await daemon.until(found => {
      expect(sampleValue(found, 'dbpm_operations_total', failed)).toBe(1);
    });
    expect(sampleValue(samples, lastFailure, { project_id, action: 'apply_config' })).toBe(
      Date.parse(updated_at) / 1000,
    );
    const attempts = sampleValue(samples, 'dbpm_operation_attempt_failures_total', {
      project_id,
      action: 'apply_config',
    });
    expect(attempts).toBe(3);
  });

  it('that is deleted takes its series with it, and the account keeps what it used', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon, before } = await openWatched(onTestFinished);
    const [gone, left] = projectIds(before);
    await service.control('DELETE', `/projects/${gone}`);
    const after = await daemon.until(samples => {
      expect(samples.filter(({ labels }) => labels.project_id === gone)).toEqual([]);
    });
    expect(projectIds(after)).toEqual([left]);
    const total = 'dbpm_account_cpu_used_seconds_total';
    expect(sampleValue(after, total)).toBe(sampleValue(before, total));
    expect(sampleValue(after, 'dbpm_up')).toBe(1);
  });

  it('whose counter is set back by the service goes on counting, and says so', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon, before } = await openWatched(onTestFinished);
    const used = before.find(
      ({ name, value }) => name === 'dbpm_project_cpu_used_seconds_total' && value > 100,
    );
    const project_id = used?.labels.project_id ?? '';
    await service.control('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: 7 });
    await daemon.until(samples => {
      const read = (name: string) => sampleValue(samples, `dbpm_project_cpu_used_${name}`, { project_id });
      expect(read('reported_seconds')).toBe(7);
      expect(read('resets_total')).toBe(1);
      expect(read('seconds_total')).toBe((used?.value ?? Number.NaN) + 7);
    });
  });

  it('that reports what cannot be true shows it and counts nothing of it, and the log says so once', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon, before } = await openWatched(onTestFinished);
    const [project_id = ''] = projectIds(before);
    const read = (samples: typeof before, name: string) =>
      sampleValue(samples, `dbpm_project_cpu_used_${name}`, { project_id });
    const used = read(before, 'reported_seconds') ?? Number.NaN;
    await service.control('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: 9e12 });
    const during = await daemon.until(samples => {
      const noted = sampleValue(samples, 'dbpm_account_implausible_values_total', { field: 'cpu_used_sec' });
      expect(noted).toBeGreaterThanOrEqual(3);
    });
    expect(read(during, 'reported_seconds')).toBe(9e12);
    expect(read(during, 'seconds_total')).toBe(read(before, 'seconds_total'));
    await service.control('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: used });
    await daemon.until(samples => expect(read(samples, 'reported_seconds')).toBe(used));
    const told = () => daemon.lines.filter(line => line.includes('cannot be true')).join('');
    await eventually(async () => expect(told()).toContain('level=info'));
    expect(told().replace(/^time=\S+ | failures=.*$| err.stack=.*$/gm, '')).toBe(
      'level=warn msg="the service reports what cannot be true: it is shown as reported and counts for nothing" ' +
        `account=main field=cpu_used_sec err.message="cpu_used_sec of \\"${project_id}\\" is 9000000000000: it cannot have grown that much since it was last read"\n` +
        'level=info msg="the service reports nothing any more that cannot be true" account=main field=cpu_used_sec\n',
    );
  });

  it('whose endpoints cannot be read keeps them until drop_after, and everything else for good', async ({
    expect,
    onTestFinished,
  }) => {
    const { service, daemon, before } = await openWatched(onTestFinished, { daemon: { dropAfterMs: 8000 } });
    const [failing, well] = projectIds(before);
    await service.fault({ match: `GET /projects/${failing}/endpoints`, status: 403 });
    const endpointsOf = (samples: typeof before, project_id: string | undefined) =>
      samples.filter(({ name, labels }) => name === 'dbpm_endpoint_info' && labels.project_id === project_id);
    const failed = await daemon.until(samples => {
      expect(sampleValue(samples, 'dbpm_collector_success', { collector: 'endpoints' })).toBe(0);
    });
    expect(endpointsOf(failed, failing)).toEqual(endpointsOf(before, failing));
    const dropped = await daemon.until(samples => {
      expect(endpointsOf(samples, failing)).toEqual([]);
    });
    expect(endpointsOf(dropped, well)).toEqual(endpointsOf(before, well));
    expect(projectIds(dropped)).toEqual([failing, well]);
    const finished = { project_id: failing ?? '', action: 'create_timeline', status: 'finished' };
    expect(sampleValue(dropped, 'dbpm_operations_total', finished)).toBe(
      sampleValue(before, 'dbpm_operations_total', finished),
    );
    await service.clearFaults();
    await untilTrue(daemon, service);
  });
});
