import { expect, test } from 'vitest';
import type { Account } from '../../src/config/config.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import { answerJson, type Script, startScriptedService } from '../support/scripted-service.ts';
import { canaryKey, openDaemon } from './open-daemon.ts';

/** A service that has projects of organisations alone, one for each. */
const answerByOrganisation: Script = ({ url }, response) => {
  const org_id = url.searchParams.get('org_id');
  const path = url.pathname.slice('/api/v2'.length);
  if (path === '/api_keys') return answerJson(response, 200, []);
  if (path !== '/projects') return answerJson(response, 200, { endpoints: [], operations: [] });
  if (org_id === null) return answerJson(response, 400, { message: 'org_id is required' });
  answerJson(response, 200, { projects: [{ id: `project-of-${org_id}`, cpu_used_sec: 5 }] });
};

test('one key watches several organisations as several accounts, and one without says what it lacks', async ({
  onTestFinished,
}) => {
  const service = await startScriptedService(answerByOrganisation);
  onTestFinished(service.close);
  const account = (name: string, org_id?: string): Account => ({
    name,
    base_url: new URL(service.base_url),
    readApiKey: () => canaryKey,
    requestsPerMinute: 60_000,
    projects: { include: ['*'], exclude: [] },
    ...(org_id !== undefined && { org_id }),
  });
  const accounts = [account('one', 'org-a'), account('two', 'org-b'), account('none')];
  const daemon = await openDaemon(onTestFinished, accounts);
  const samples = await daemon.until(all => {
    const up = accounts.map(({ name }) => sampleValue(all, 'dbpm_up', { account: name }));
    expect(up).toEqual([1, 1, 0]);
    // An account whose list of keys alone was read says as much.
    const collector = 'projects';
    const read = accounts.map(({ name: account }) =>
      sampleValue(all, 'dbpm_collector_success', { account, collector }),
    );
    expect(read).toEqual([1, 1, 0]);
    // Its key is accepted where its list of keys is read, which may be after its projects.
    expect(sampleValue(all, 'dbpm_auth_ok', { account: 'none' })).toBe(1);
  });
  const infos = samples.filter(({ name }) => name === 'dbpm_project_info');
  expect(infos.map(({ labels }) => [labels.account, labels.project_id])).toEqual([
    ['one', 'project-of-org-a'],
    ['two', 'project-of-org-b'],
  ]);
  const errors = (reason: string) =>
    sampleValue(samples, 'dbpm_collector_errors_total', { account: 'none', collector: 'projects', reason });
  expect(errors('bad_request')).toBeGreaterThan(0);
  expect(errors('malformed')).toBe(0);
  expect(daemon.lines.filter(line => line.includes('set org_id of the account'))).toHaveLength(1);
});
