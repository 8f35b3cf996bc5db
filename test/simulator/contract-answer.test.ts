import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { first, openService, type ProjectBody, type Service } from './open-service.ts';

/** Every kind of call there is, with its answers as they were sent but for what is drawn anew each time. */
async function recordAnswers({ call, control, advance }: Service): Promise<string[]> {
  const answers: string[] = [];
  const record = <Body>({ status, body }: { status: number; body: Body }): Body => {
    answers.push(`${status} ${JSON.stringify(body).replace(/"request_id":"[^"]+"/, '')}`);
    return body;
  };
  const { projects } = record(await call<{ projects: ProjectBody[] }>('GET', '/projects'));
  for (const { id } of projects) {
    const path = `/projects/${id}`;
    const { endpoints } = record(await call<{ endpoints: { id: string }[] }>('GET', `${path}/endpoints`));
    record(await call('GET', `${path}/operations?limit=40`));
    record(await control('POST', `/endpoints/${first(endpoints).id}/connect`, { seconds: 400 }));
  }
  const { id } = first(projects);
  record(await control('POST', `/projects/${id}/branches`, { name: 'dev' }));
  const branch = record(
    await control<{ id: string }>('POST', `/projects/${id}/branches`, { endpoint: false }),
  );
  const added = record(await control<ProjectBody>('POST', '/projects', { name: 'shop', profile: 'bursty' }));
  record(await advance(90_000));
  const body = { endpoint: { branch_id: branch.id, type: 'read_write' } };
  const created = record(await call<{ endpoint: { id: string } }>('POST', `/projects/${id}/endpoints`, body));
  const endpointPath = `/projects/${id}/endpoints/${created.endpoint.id}`;
  record(await call('PATCH', endpointPath, { endpoint: { pooler_enabled: true } }));
  record(await call('DELETE', endpointPath));
  record(await control('POST', `/projects/${added.id}/cpu`, { cpu_used_sec: 7 }));
  record(await control('POST', '/operations', { project_id: id, action: 'apply_config' }));
  record(await call('POST', '/api_keys', { key_name: 'new' }));
  record(await call('GET', '/api_keys'));
  record(await call('GET', '/projects?limit=3'));
  record(await call('GET', `/projects/${id}`));
  record(await call('GET', '/consumption_history/v2/projects'));
  record(await control('DELETE', `/projects/${added.id}`));
  record(await advance(50_000));
  record(await call('GET', '/projects'));
  record(await control('GET', '/truth'));
  return answers;
}

test('the contract is answered byte for byte as it was before there were later versions', async () => {
  const service = await openService({ projects: 6, historyDays: 3, seed: 7, showcase: true });
  const answers = await recordAnswers(service);
  const digest = createHash('sha256').update(answers.join('\n')).digest('hex');
  expect([answers.length, digest]).toEqual([
    58,
    '538df2a3eeda86ae14d8e2c009900baf5c41d709c12cb18a13b44e26c32f6249',
  ]);
});
