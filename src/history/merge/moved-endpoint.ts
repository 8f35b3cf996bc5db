import type { Database } from 'better-sqlite3';
import { maxOf, minOf } from '../../resources/min-max.ts';
import { statementsOf } from '../file/statement.ts';
import { isOneUse } from '../ledger/plausible-instant.ts';
import type { UseRow } from '../usage/awake-query.ts';
import { type ComputeTotals, growth, noCompute } from '../usage/compute-query.ts';
import { endpointActivityOf } from '../usage/endpoint-activity-query.ts';
import { dayOf } from '../usage/roll-up-query.ts';
import { type WatchedEndpoint, watchedEndpointsOf } from '../usage/watched-endpoint-query.ts';
import type { JoinedPart, JoinedProject, ProjectLink } from './joined-project.ts';
import { insertRow, joinChanges, type Row, type RowOffsets, rowCopier, rowsOf } from './row-copy.ts';

/** A history that speaks for an endpoint from one instant to another; epoch milliseconds. */
interface EndpointLink {
  readonly part: JoinedPart;
  /** The number the endpoint has there. */
  readonly own: number;
  readonly endpoint_id: string;
  /** Undefined where operations alone name it. */
  readonly watched: WatchedEndpoint | undefined;
  /** When the history first read its project. */
  readonly fromAt: number;
  /** From when on, and until when its states count. */
  readonly cutAt: number;
  readonly untilAt: number;
  /** When the history last read it while it spoke for it; undefined where operations alone name it. */
  readonly readUntilAt: number | undefined;
  /** When the next history first read the project; absent for the last one. */
  readonly leftAt?: number;
}

/** What the ledger of an endpoint comes to where a history begins to speak for it. */
interface Handover {
  /** Until when the history before read it, and the largest size it can have had since. */
  readonly readUntilAt: number;
  readonly mostCu: number;
  readonly atRead: ComputeTotals;
}

/** Tables that are joined row by row; of each other one the newest history has what counts. */
const joinedApart: ReadonlySet<string> = new Set([
  'state_interval',
  'compute_interval',
  'compute_day',
  'endpoint_use',
  'endpoint_change',
]);
/** The state of an endpoint between two histories, which neither saw. */
const unseen = 'unknown';
const never = Number.NEGATIVE_INFINITY;

/**
 * Makes a function that joins the endpoints of a project that moved, each as the last history has it that read it; it gives their
 * numbers by id.
 */
export function endpointJoiner(joined: Database, offsets: ReadonlyMap<JoinedPart, RowOffsets>) {
  const copyLastKnown = rowCopier(joined, 'endpoint_ref', joinedApart);
  const joinOne = (project_ref: number, links: readonly EndpointLink[]): number => {
    const newest = links.findLast(({ watched }) => watched !== undefined) ?? links.at(-1);
    if (newest === undefined) throw new RangeError('an endpoint of no history');
    const { part, own, leftAt } = newest;
    const endpoint_ref = own + (offsets.get(part)?.endpoint_ref ?? 0);
    const rows = links.flatMap(link => rowsOf(link.part.database, 'endpoint', { endpoint_ref: link.own }));
    const [row] = rowsOf(part.database, 'endpoint', { endpoint_ref: own });
    const numbers = (column: string) =>
      rows.flatMap(each => (typeof each[column] === 'number' ? [each[column]] : []));
    const gone = typeof row?.gone_at === 'number' ? row.gone_at : Number.POSITIVE_INFINITY;
    insertRow(joined, 'endpoint', {
      ...{ ...row, endpoint_ref, project_ref },
      first_seen_at: numbers('first_seen_at').length === 0 ? null : minOf(numbers('first_seen_at')),
      starts: maxOf(numbers('starts')),
      suspends: maxOf(numbers('suspends')),
      // A history that lets a project go does not know what became of its endpoints: those the next one never read were gone.
      ...(leftAt !== undefined && { gone_at: Math.min(gone, leftAt) }),
    });
    copyLastKnown(part, { own, ref: endpoint_ref });
    for (const change of joinChanges('endpoint', links))
      insertRow(joined, 'endpoint_change', { ...change, endpoint_ref });
    const watched = links.filter(each => each.watched !== undefined);
    writeStates(joined, endpoint_ref, watched);
    writeCompute(joined, endpoint_ref, watched);
    for (const use of joinUses(watched)) insertRow(joined, 'endpoint_use', { ...use, endpoint_ref });
    return endpoint_ref;
  };
  return ({ project_ref, moves }: JoinedProject): ReadonlyMap<string, number> => {
    const found = moves.flatMap((link, index) => readLinks(link, moves[index + 1]));
    const byId = Map.groupBy(found, ({ endpoint_id }) => endpoint_id);
    return new Map(Array.from(byId, ([id, links]) => [id, joinOne(project_ref, cutEach(links))]));
  };
}

function writeStates(joined: Database, endpoint_ref: number, links: readonly EndpointLink[]): void {
  let last: { readonly state: unknown; readonly readUntilAt: number } | undefined;
  for (const link of links) {
    const begins = spokenRows(link, 'state_interval');
    const begunAt = Number(begins[0]?.from_at ?? Number.POSITIVE_INFINITY);
    if (last !== undefined && last.readUntilAt < begunAt && begins.length > 0) {
      insertRow(joined, 'state_interval', { endpoint_ref, from_at: last.readUntilAt, state: unseen });
      last = { ...last, state: unseen };
    }
    for (const begin of begins) {
      if (begin.state === last?.state) continue;
      insertRow(joined, 'state_interval', { ...begin, endpoint_ref });
      last = { state: begin.state, readUntilAt: 0 };
    }
    if (last !== undefined) last = { ...last, readUntilAt: readUntil(link) };
  }
}

function writeCompute(joined: Database, endpoint_ref: number, links: readonly EndpointLink[]): void {
  let soFar = noCompute;
  let before: Handover | undefined;
  for (const link of links) {
    const activity = endpointActivityOf(link.part.database);
    const totalsAt = (at: number) => activity.computeUntil(link.own, at);
    const ahead = growth(link.cutAt === never ? noCompute : totalsAt(link.cutAt), soFar);
    const rows = spokenRows(link, 'compute_interval');
    if (before !== undefined && before.readUntilAt < Number(rows[0]?.from_at ?? never)) {
      const { readUntilAt, mostCu, atRead } = before;
      insertRow(joined, 'compute_interval', {
        ...{ endpoint_ref, from_at: readUntilAt, lower_cu: 0, upper_cu: mostCu },
        ...{ lower_total: atRead.lower, upper_total: atRead.upper },
      });
    }
    for (const row of rows) insertRow(joined, 'compute_interval', add({ ...row, endpoint_ref }, ahead));
    const days = rowsOf(link.part.database, 'compute_day', { endpoint_ref: link.own });
    const first = link.cutAt === never ? never : dayOf(link.cutAt);
    const end = Number.isFinite(link.untilAt) ? dayOf(link.untilAt) : Number.POSITIVE_INFINITY;
    for (const row of days.filter(({ day }) => Number(day) >= first && Number(day) < end))
      insertRow(joined, 'compute_day', add({ ...row, endpoint_ref }, ahead));
    const readUntilAt = readUntil(link);
    const sum = (at: number) => {
      const { lower, upper } = totalsAt(at);
      return { lower: lower + ahead.lower, upper: upper + ahead.upper };
    };
    const endpoint = rowsOf(link.part.database, 'endpoint', { endpoint_ref: link.own })[0];
    before = {
      ...{ readUntilAt, mostCu: Number(endpoint?.ledger_max_cu ?? 0) },
      atRead: sum(readUntilAt),
    };
    soFar = sum(link.untilAt);
  }
}

function add(row: Row, { lower, upper }: ComputeTotals): Row {
  return {
    ...row,
    lower_total: Number(row.lower_total) + lower,
    upper_total: Number(row.upper_total) + upper,
  };
}

function readUntil({ readUntilAt, untilAt }: EndpointLink): number {
  return Math.min(readUntilAt ?? untilAt, untilAt);
}

/** Rows that each last until the next one, as far as a history speaks for them; the first may have begun before. */
function spokenRows({ part, own, cutAt, untilAt }: EndpointLink, table: string): readonly Row[] {
  const all = rowsOf(part.database, table, { endpoint_ref: own }).filter(
    ({ from_at }) => Number(from_at) < untilAt,
  );
  const held = all.findLast(({ from_at }) => Number(from_at) <= cutAt);
  const later = all.filter(({ from_at }) => Number(from_at) > cutAt);
  if (held === undefined) return later;
  const ms = cutAt - Number(held.from_at);
  const atCut =
    'lower_total' in held
      ? add(held, { lower: Number(held.lower_cu) * ms, upper: Number(held.upper_cu) * ms })
      : held;
  return [{ ...atCut, from_at: cutAt }, ...later];
}

function readLinks(
  { part, own: project, life, fromAt, cutAt, untilAt }: ProjectLink,
  next: ProjectLink | undefined,
): readonly EndpointLink[] {
  const watched = watchedEndpointsOf(part.database).list(project);
  return endpointActivityOf(part.database)
    .endpoints(project)
    .map(({ endpoint_ref, endpoint_id }) => {
      const row = watched.find(each => each.endpoint_ref === endpoint_ref);
      return {
        ...{ part, own: endpoint_ref, endpoint_id, watched: row, fromAt, cutAt, untilAt },
        readUntilAt: life.statesUntilAt ?? row?.untilAt,
        ...(next !== undefined && { leftAt: next.fromAt }),
      };
    });
}

/**
 * Ends each link where its history last read the endpoint, if the next one knows from operations what came then: lists of
 * projects were read for longer.
 */
function cutEach(links: readonly EndpointLink[]): readonly EndpointLink[] {
  const cut: EndpointLink[] = [];
  for (const [index, link] of links.entries()) {
    const cutAt = cut.at(-1)?.untilAt ?? link.cutAt;
    const [{ readUntilAt }, next] = [link, links[index + 1]?.watched];
    const knownAt = readUntilAt && next ? Math.max(readUntilAt, next.beginsAt, cutAt) : link.untilAt;
    cut.push({ ...link, cutAt, untilAt: Math.min(link.untilAt, knownAt) });
  }
  return cut;
}

/** Before the first use that a history saw, the last reading is one of the history before. */
function joinUses(links: readonly EndpointLink[]): readonly UseRow[] {
  const joined: UseRow[] = [];
  for (const [index, { part, own, cutAt, untilAt }] of links.entries()) {
    const uses = statementsOf(part.database).all<[number, number, number], UseRow>`
      SELECT from_at, until_at, quiet_until_at FROM endpoint_use
      WHERE endpoint_ref = ? AND until_at >= ? AND from_at < ? ORDER BY from_at`(own, cutAt, untilAt);
    const last = joined.at(-1);
    const former = links[index - 1];
    const [first, ...later] = last === undefined ? uses : uses.filter(use => use.until_at > last.until_at);
    if (first === undefined) continue;
    if (former === undefined) joined.push(first);
    else if (last !== undefined && isOneUse(last.until_at, first.from_at))
      joined.splice(-1, 1, { ...last, until_at: first.until_at });
    else {
      const readAt = readUntil(former);
      const quiet_until_at = Math.min(Math.max(readAt, first.quiet_until_at ?? readAt), first.from_at);
      joined.push({ ...first, quiet_until_at });
    }
    joined.push(...later);
  }
  return joined;
}
