import fc from 'fast-check';
import type { AccountView } from '../../src/resources/account.ts';
import type { ProjectView } from '../../src/resources/project.ts';
import { sampleEndpoint, sampleProject, sampleView } from '../support/sample-view.ts';

/** What live services have been seen to put into strings, and what could break a line of an exposition. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc
    .array(fc.constantFrom('"', '\\', '\n', '\r', '\u2028', '{', '}', ',', '=', '#', ' ', '🐘', '\0', 'a'), {
      maxLength: 12,
    })
    .map(parts => parts.join('')),
  fc.constantFrom('"} 1\ndbpm_up 2', '\\', '\\"', '# EOF', '__proto__', 'x'.repeat(10_000)),
);
const quantity = fc.double({ min: 0, max: 1e15, noNaN: true });

const endpoint = fc.record({
  endpoint_id: hostileText,
  host: hostileText,
  current_state: hostileText,
  last_active: quantity,
});

/** What is hostile about a project; the rest is that of the sample. */
export const hostileProject = fc.record(
  {
    project_id: hostileText,
    project_name: hostileText,
    cpu_used_sec: quantity,
    cpuUsedResets: quantity,
    action: hostileText,
    endpoints: fc.uniqueArray(endpoint, { selector: ({ endpoint_id }) => endpoint_id, maxLength: 3 }),
  },
  { requiredKeys: ['project_id', 'project_name', 'cpu_used_sec', 'action', 'endpoints'] },
);
type HostileProject = typeof hostileProject extends fc.Arbitrary<infer Value> ? Value : never;

const hostileAccount = fc.record({
  account: hostileText,
  projects: fc.uniqueArray(hostileProject, { selector: ({ project_id }) => project_id, maxLength: 3 }),
});

export const hostileViews = fc
  .uniqueArray(hostileAccount, { selector: found => found.account, minLength: 1, maxLength: 3 })
  .map(accounts =>
    accounts.map(
      ({ account, projects }): AccountView => ({
        ...sampleView,
        account,
        api_keys: [],
        projects: projects.map(project => asProject(account, project)),
      }),
    ),
  );

export function asProject(account: string, { action, endpoints, ...fields }: HostileProject): ProjectView {
  const { cpuUsedResets: _, ...others } = sampleProject;
  return {
    ...others,
    ...fields,
    account,
    endpoints: endpoints.map(each => ({
      ...sampleEndpoint,
      ...each,
      account,
      project_id: fields.project_id,
    })),
    operations: {
      ended: [{ action, status: 'failed', count: 2, lastEndedAt: 1000 }],
      attemptFailures: [{ action, count: 3 }],
      inProgress: [],
    },
  };
}
