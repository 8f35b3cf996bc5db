import { describe, expect, test } from 'vitest';
import { linesOf } from '../support/sample-line.ts';
import { withEndpoint } from '../support/view-builder.ts';

describe('an endpoint', () => {
  test('of which nothing but the id is known has only its info', () => {
    expect(linesOf(withEndpoint({}), 'dbpm_endpoint')).toEqual([
      'dbpm_endpoint_info{project_id="p",endpoint_id="e",branch_id="",region_id="",type="",host="",proxy_host="",pooler_mode=""} 1',
    ]);
  });

  test('emits each of its samples once all is known', () => {
    const view = withEndpoint({
      branch_id: 'br-1',
      region_id: 'aws-us-east-2',
      type: 'read_only',
      host: 'ep.example.com',
      proxy_host: 'proxy.example.com',
      pooler_mode: 'transaction',
      current_state: 'idle',
      pending_state: 'active',
      autoscaling_limit_min_cu: 0.25,
      autoscaling_limit_max_cu: 56,
      disabled: true,
      pooler_enabled: false,
      passwordless_access: true,
      last_active: 1_795_251_600_000,
      created_at: 1_793_520_000_000,
      updated_at: 1_795_161_600_000,
      starts: 4,
      suspends: 0,
      stateDurations: [
        { state: 'active', durationMs: 90_500 },
        { state: 'warming', durationMs: 2_000 },
      ],
    });
    expect(
      linesOf(view, 'dbpm_endpoint').map(line => line.replace('project_id="p",endpoint_id="e"', 'E')),
    ).toEqual([
      'dbpm_endpoint_info{E,branch_id="br-1",region_id="aws-us-east-2",type="read_only",host="ep.example.com",proxy_host="proxy.example.com",pooler_mode="transaction"} 1',
      'dbpm_endpoint_state{E,state="init"} 0',
      'dbpm_endpoint_state{E,state="active"} 0',
      'dbpm_endpoint_state{E,state="idle"} 1',
      'dbpm_endpoint_state{E,state="stopped"} 0',
      'dbpm_endpoint_pending_state{E,state="active"} 1',
      'dbpm_endpoint_state_seconds_total{E,state="init"} 0',
      'dbpm_endpoint_state_seconds_total{E,state="active"} 90.5',
      'dbpm_endpoint_state_seconds_total{E,state="idle"} 0',
      'dbpm_endpoint_state_seconds_total{E,state="stopped"} 0',
      'dbpm_endpoint_state_seconds_total{E,state="warming"} 2',
      'dbpm_endpoint_starts_total{E} 4',
      'dbpm_endpoint_suspends_total{E} 0',
      'dbpm_endpoint_disabled{E} 1',
      'dbpm_endpoint_pooler_enabled{E} 0',
      'dbpm_endpoint_passwordless_access{E} 1',
      'dbpm_endpoint_autoscaling_limit_min_cu{E} 0.25',
      'dbpm_endpoint_autoscaling_limit_max_cu{E} 56',
      'dbpm_endpoint_last_active_timestamp_seconds{E} 1795251600',
      'dbpm_endpoint_created_timestamp_seconds{E} 1793520000',
      'dbpm_endpoint_updated_timestamp_seconds{E} 1795161600',
    ]);
  });

  test.each(['init', 'active', 'idle', 'stopped', 'warming', 'other'])(
    'in the state %s has exactly one state that is 1',
    current_state => {
      const lines = linesOf(withEndpoint({ current_state }), 'dbpm_endpoint_state{');
      expect(lines.filter(line => line.endsWith(' 1'))).toEqual([
        `dbpm_endpoint_state{project_id="p",endpoint_id="e",state="${current_state}"} 1`,
      ]);
      expect(lines).toHaveLength(['warming', 'other'].includes(current_state) ? 5 : 4);
    },
  );
});
