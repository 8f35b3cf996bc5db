import * as v from 'valibot';
import { choice, cursor, limit, text } from '../../parameter.ts';
import { fleetSorts } from './fleet-order.ts';

/** The query of the page of projects: all of its state. */
export const fleetQuery = v.object({
  q: text(),
  account: text(),
  /** As `team/platform`, or a part of the names of groups where none is called so. */
  group: text(1000),
  region: text(),
  state: choice(['all', 'active', 'idle', 'changing', 'other', 'none', 'importing']),
  finding: choice(['all', 'with', 'without']),
  gone: choice(['without', 'all', 'only']),
  sort: choice(fleetSorts),
  order: choice(['desc', 'asc']),
  limit: limit(),
  cursor: cursor(),
});
export type FleetQuery = v.InferOutput<typeof fleetQuery>;
