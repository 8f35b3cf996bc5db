import { hourMs } from '../../src/resources/duration.ts';
import { meterMetrics } from '../../src/resources/meter.ts';
import { wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import type { SimulatedWorld } from './simulated-world.ts';

type Callable = Pick<SimulatedWorld, 'call' | 'simulator'>;

/** Has the service meter its first project: one unit of everything, in an hour that ended a moment ago. */
export async function serveMeter({ call, simulator }: Callable): Promise<void> {
  const { projects } = (await call('GET', `${simulator.base_url}projects`)) as {
    readonly projects: readonly { readonly id: string }[];
  };
  const [project] = projects;
  if (project === undefined) throw new Error('the service has no project');
  const amounts = Object.fromEntries(meterMetrics.map(metric => [metric, 1]));
  const startAt = Math.floor(Date.now() / hourMs) * hourMs;
  const endAt = Math.max(startAt + 1000, Math.floor(Date.now() / 1000) * 1000);
  const consumption = wireConsumption(project.id, [wireTimeframe(startAt, endAt, amounts)]);
  const body = JSON.stringify({ projects: [consumption] });
  await call('POST', '/faults', { match: 'GET /consumption_history/v2/projects*', status: 200, body });
}
