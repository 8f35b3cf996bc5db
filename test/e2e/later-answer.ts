import { firstProject, type Stage } from './drill-action.ts';

type Item = Readonly<Record<string, unknown>>;

/** So many answers are those of a later version: until they were scraped, and few enough for what comes after. */
const times = 12;

/** Has the lists of a project answered as a later version of the service does, with a field that is none. */
export async function answerAsLater(stage: Stage): Promise<void> {
  const { world } = stage;
  const { project_id } = await firstProject(stage);
  const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const path = `/projects/${project_id}/operations`;
  const ask = (asked: string) => world.call('GET', `${world.simulator.base_url}${asked.slice(1)}`);
  const answer = (asked: string, body: object) =>
    world.call('POST', '/faults', { match: `GET ${asked}`, body: JSON.stringify(body), times });
  const page = (await ask(`${path}?limit=50`)) as { readonly operations: readonly Item[] };
  const [first = {}] = page.operations;
  const waiting = {
    ...first,
    id: 'later-waiting',
    status: 'running',
    created_at: later(0),
    updated_at: later(0),
    total_duration_ms: 'long',
    error: 'no room for another compute',
    retry_at: later(3600),
  };
  await answer(path, { ...page, operations: [waiting, ...page.operations] });
  const endpointPath = `/projects/${project_id}/endpoints`;
  const { endpoints } = (await ask(endpointPath)) as { readonly endpoints: readonly Item[] };
  const suspended = endpoints.map(endpoint => ({ ...endpoint, suspend_timeout_seconds: 600 }));
  await answer(endpointPath, { endpoints: suspended });
}
