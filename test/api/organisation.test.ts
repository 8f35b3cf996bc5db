import { expect, test } from 'vitest';
import { readList } from '../../src/api/list.ts';
import { apiKeyList } from '../../src/resources/api-key.ts';
import { projectList } from '../../src/resources/project.ts';
import { rejection, startClient, testKey } from '../support/api-client.ts';
import { answerJson } from '../support/scripted-service.ts';

const options = { priority: 'list' as const, signal: new AbortController().signal };
const asking = { message: 'org_id is required, you can find it on your organization settings page' };

test('the organisation goes along with every page of the list of projects, and with no other list', async () => {
  const { client, service } = await startClient(
    ({ url }, response) => {
      if (url.pathname.endsWith('/api_keys')) return answerJson(response, 200, []);
      const isFirst = !url.searchParams.has('cursor');
      answerJson(response, 200, {
        projects: [{ id: isFirst ? 'p1' : 'p2' }],
        ...(isFirst && { pagination: { cursor: 'p1' } }),
      });
    },
    { org_id: 'org-a' },
  );
  expect((await readList(client, projectList, options)).items).toHaveLength(2);
  await readList(client, apiKeyList, options);
  expect(service.requests.map(({ target }) => target)).toEqual([
    '/api/v2/projects?limit=400&org_id=org-a',
    '/api/v2/projects?limit=400&cursor=p1&org_id=org-a',
    '/api/v2/api_keys',
  ]);
});

test('a service that asks for an organisation is understood at once, and the setting is named', async () => {
  const { client, service, outcomes } = await startClient((_, response) => answerJson(response, 400, asking));
  expect(await rejection(readList(client, projectList, options))).toMatchObject({
    reason: 'bad_request',
    message: `400 from GET /projects: this key is one of a person, so the service must be told the organisation; set org_id of the account, or DBPM_ORG_ID, to its id (the service says: ${asking.message})`,
  });
  expect(service.requests).toHaveLength(1);
  expect(outcomes()).toEqual(['bad_request']);
});

test('an organisation that the service does not take is said to be the wrong one', async () => {
  const refused = { message: 'invalid org_id' };
  const { client, service } = await startClient((_, response) => answerJson(response, 400, refused), {
    org_id: `org-${testKey}`,
  });
  expect(await rejection(readList(client, projectList, options))).toMatchObject({
    reason: 'bad_request',
    message:
      '400 from GET /projects: the service does not take the org_id of the account; set it to the id of an organisation that the key may read (the service says: invalid org_id)',
  });
  expect(service.requests).toHaveLength(1);
});
