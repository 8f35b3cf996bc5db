import type { ProjectView } from '../../src/resources/project.ts';

const createdAt = Date.UTC(2026, 0, 1);

/**
 * A project of a large fleet, with one endpoint and 20 series: no two are alike, and most of what changes while a
 * project runs is another at every `tick`.
 */
export function fleetProject(index: number, tick = 0): ProjectView {
  const project_id = `shop-${scramble(index)}`;
  const endpoint_id = `ep-${scramble(index + 0x40000000)}`;
  const created_at = createdAt + index * 977;
  const updated_at = created_at + 3_600_000 + tick * 30_000;
  const counted = index + tick * 30;
  return {
    account: 'main',
    project_id,
    project_name: `Shop number ${index}`,
    platform_id: 'cloud',
    region_id: 'eu-1',
    cpu_used_sec: counted,
    cpuUsedSeconds: counted + 1000,
    cpuUsedResets: 0,
    locked: false,
    branch_logical_size_limit: 3072,
    created_at,
    updated_at,
    lastRefreshAt: updated_at + 250,
    endpoints: [
      {
        account: 'main',
        project_id,
        endpoint_id,
        branch_id: `br-${scramble(index + 0x60000000)}`,
        type: 'read_write',
        host: `${endpoint_id}.eu-1.example.test`,
        current_state: (index + tick) % 20 === 0 ? 'active' : 'idle',
        disabled: false,
        autoscaling_limit_min_cu: 0.25,
        autoscaling_limit_max_cu: 4,
        last_active: updated_at - 1000,
        created_at,
        updated_at,
      },
    ],
  };
}

/** Looks as random as ids do, and is another for every index below 2³². */
function scramble(index: number): string {
  return (Math.imul(index, 0x9e3779b1) >>> 0).toString(36).padStart(7, '0');
}
