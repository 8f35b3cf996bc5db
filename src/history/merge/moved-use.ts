import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { ComputeQuery } from '../usage/compute-query.ts';
import { dayOf, hourOf } from '../usage/roll-up-query.ts';
import { SampleSpread } from '../usage/sample-spread.ts';
import { UsageQuery } from '../usage/usage-query.ts';
import type { JoinedPart, JoinedProject, ProjectLink } from './joined-project.ts';

/** The counter of a project in a history that took it over; sums in CU-milliseconds, instants in epoch milliseconds. */
interface CountedLink extends ProjectLink {
  /** What the joined counter is ahead of that of the history. */
  readonly ahead: number;
  /** The first reading that counts. */
  readonly takenAt: number;
  /** Since when what the counter grew by until then was used; absent where it was read all the time. */
  readonly grownFromAt?: number;
  /** Whether the counter was set back meanwhile, so that more may have been used. */
  readonly isReset: boolean;
  /** Hours before it have their rows. */
  readonly rolledUntilHour: number;
}

interface Sample {
  readonly at: number;
  readonly cpu_used_sec: number;
  readonly after_at: number | null;
  readonly base_sec: number;
}

interface Total {
  readonly slot: number;
  readonly total: number;
}

/** Joins the counters of projects that moved: from history to history they go on from what the one before came to. */
export class MovedUse {
  readonly #joined: Database;
  readonly #queries = new Map<JoinedPart, UsageQuery>();
  readonly #insert;
  readonly #samplesKeptAt: number;

  /** @param joined knows since when it has rows of each kind. */
  constructor(joined: Database) {
    this.#joined = joined;
    this.#samplesKeptAt = keptFromAt(joined, 'samples');
    this.#insert = {
      sample: joined.prepare(
        `INSERT INTO cpu_sample (project_ref, at, cpu_used_sec, after_at, base_sec)
         VALUES (@project_ref, @at, @cpu_used_sec, @after_at, @base_sec)`,
      ),
      start: joined.prepare<[number, number]>('INSERT OR IGNORE INTO cpu_count_start VALUES (?, ?)'),
      hour: joined.prepare<[number, number, number]>('INSERT OR REPLACE INTO usage_hour VALUES (?, ?, ?)'),
      day: joined.prepare<[number, number, number]>('INSERT OR REPLACE INTO usage_day VALUES (?, ?, ?)'),
      source: joined.prepare<[number, number, string]>(
        'INSERT OR REPLACE INTO cpu_source_change VALUES (?, ?, ?)',
      ),
      total: joined.prepare<[number, number, number]>(
        `UPDATE project SET cpu_used_total_sec = cpu_used_total_sec + ?, rolled_until_hour = ? WHERE project_ref = ?`,
      ),
    };
  }

  /** @param project has its own row, and its endpoints have their ledgers. */
  join(project: JoinedProject): void {
    const links = this.#count(project);
    for (const [index, link] of links.entries()) {
      this.#writeSamples(project, link, links[index + 1]?.takenAt);
      this.#writeSources(project, link);
    }
    const rolledUntil = this.#writeTotals(project, links);
    const last = links.at(-1);
    if (last !== undefined) this.#insert.total.run(last.ahead / 1000, rolledUntil, project.project_ref);
  }

  #count({ moves }: JoinedProject): readonly CountedLink[] {
    const counted: CountedLink[] = [];
    for (const [index, link] of moves.entries()) {
      const { part, own, life } = link;
      const usage = this.#usageOf(part);
      const rolled = part.database.prepare<[number], number>(
        'SELECT rolled_until_hour FROM project WHERE project_ref = ?',
      );
      const rolledUntilHour = rolled.pluck().get(own) ?? 0;
      const before = counted.at(-1);
      if (before === undefined) {
        counted.push({ ...link, ahead: 0, takenAt: link.fromAt, isReset: false, rolledUntilHour });
        continue;
      }
      const { lastCountAt, lastCount, isGone } = before.life;
      const first = findTaken(link);
      const ownCount = first.count ?? life.firstCount ?? usage.usedUntil(own, first.at);
      const wasUnread = lastCountAt < first.at;
      const isReset = wasUnread && ownCount < lastCount;
      const grown = wasUnread ? ownCount - (isReset ? 0 : lastCount) : 0;
      const soFar = this.#usageOf(before.part).usedUntil(before.own, before.untilAt) + before.ahead;
      const grownFromAt = isGone ? lastCountAt : Math.max(lastCountAt, moves[index]?.cutAt ?? lastCountAt);
      counted.push({
        ...{ ...link, takenAt: first.at, isReset, rolledUntilHour },
        ahead: soFar + grown - usage.usedUntil(own, first.at),
        ...(wasUnread && { grownFromAt }),
      });
    }
    return counted;
  }

  #writeSamples({ project_ref }: JoinedProject, link: CountedLink, nextAt = Number.POSITIVE_INFINITY): void {
    const { part, own, takenAt, untilAt, ahead, grownFromAt, isReset } = link;
    const isFirst = takenAt === Number.NEGATIVE_INFINITY;
    const lastAt = Math.min(untilAt, nextAt - 1);
    const read = part.database.prepare<[number, number, number], Sample>(
      `SELECT at, cpu_used_sec, after_at, base_sec FROM cpu_sample
       WHERE project_ref = ? AND at >= ? AND at <= ? ORDER BY at`,
    );
    const rows = read.all(own, takenAt, lastAt);
    const held = isFirst || rows[0]?.at === takenAt ? undefined : lastSample(link, takenAt);
    for (const row of [...(held ? [{ ...held, at: takenAt }] : []), ...rows]) {
      const after_at = !isFirst && row.at === takenAt ? (grownFromAt ?? null) : row.after_at;
      this.#insert.sample.run({ ...row, project_ref, after_at, base_sec: row.base_sec + ahead / 1000 });
    }
    if (isReset) this.#insert.start.run(project_ref, takenAt);
    const starts = part.database
      .prepare<[number, number, number], number>(
        'SELECT at FROM cpu_count_start WHERE project_ref = ? AND at > ? AND at <= ?',
      )
      .pluck();
    for (const at of starts.all(own, takenAt, lastAt)) this.#insert.start.run(project_ref, at);
  }

  #writeSources({ project_ref }: JoinedProject, { part, own, cutAt, untilAt }: CountedLink): void {
    const changes = part.database
      .prepare<[number, number, number], [at: number, source: string]>(
        'SELECT at, source FROM cpu_source_change WHERE project_ref = ? AND at >= ? AND at <= ?',
      )
      .raw();
    for (const [at, source] of changes.all(own, cutAt, untilAt))
      this.#insert.source.run(project_ref, at, source);
  }

  /** @returns the hour until which all hours have their rows. */
  #writeTotals({ project_ref }: JoinedProject, links: readonly CountedLink[]): number {
    let rolled = 0;
    let firstHour = Number.NEGATIVE_INFINITY;
    for (const [index, link] of links.entries()) {
      const next = links[index + 1];
      const before = links[index - 1];
      if (before !== undefined) {
        const takenHour = hourOf(link.takenAt) + 1;
        if (link.rolledUntilHour < takenHour) return rolled;
        this.#fill(project_ref, { before, link, fromHour: rolled, untilHour: takenHour });
        firstHour = takenHour;
      }
      rolled = Math.min(
        link.rolledUntilHour,
        next === undefined ? Number.POSITIVE_INFINITY : hourOf(link.untilAt),
      );
      this.#writeOwn(project_ref, link, firstHour, rolled);
    }
    return rolled;
  }

  #writeOwn(
    project_ref: number,
    { part, own, ahead }: CountedLink,
    fromHour: number,
    untilHour: number,
  ): void {
    const read = (table: string, slot: string) =>
      part.database.prepare<[number, number, number], Total>(
        `SELECT ${slot} AS slot, total FROM ${table} WHERE project_ref = ? AND ${slot} >= ? AND ${slot} < ?`,
      );
    for (const { slot, total } of read('usage_hour', 'hour').all(own, fromHour, untilHour))
      this.#insert.hour.run(project_ref, slot, total + ahead);
    const fromDay = Math.ceil((fromHour * hourMs - dayMs) / dayMs);
    const days = read('usage_day', 'day').all(own, Math.max(fromDay, -1), dayOf(untilHour * hourMs));
    for (const { slot, total } of days) this.#insert.day.run(project_ref, slot, total + ahead);
  }

  /** Rolls the time up in which the project moved; where its samples are gone it was used evenly. */
  #fill(
    project_ref: number,
    {
      before,
      link,
      fromHour,
      untilHour,
    }: Readonly<Record<'before' | 'link', CountedLink>> & {
      readonly fromHour: number;
      readonly untilHour: number;
    },
  ): void {
    const fromAt = fromHour * hourMs;
    const soFar = this.#usageOf(before.part).usedUntil(before.own, before.untilAt) + before.ahead;
    const taken = this.#usageOf(link.part).usedUntil(link.own, link.takenAt) + link.ahead;
    const evenly = (at: number) => {
      const begunAt = link.grownFromAt ?? link.takenAt;
      if (at <= begunAt)
        return this.#usageOf(before.part).usedUntil(before.own, Math.min(at, before.untilAt)) + before.ahead;
      if (at >= link.takenAt) return this.#usageOf(link.part).usedUntil(link.own, at) + link.ahead;
      return soFar + Math.floor(((taken - soFar) * (at - begunAt)) / (link.takenAt - begunAt));
    };
    const ends = Array.from({ length: untilHour - fromHour + 1 }, (_, index) => fromAt + index * hourMs);
    const totals =
      fromAt >= this.#samplesKeptAt
        ? [
            ...new SampleSpread(this.#joined, new ComputeQuery(this.#joined)).usedAtSteps(
              ...([project_ref, fromAt, untilHour * hourMs, hourMs] as const),
            ),
          ]
        : ends.map(evenly);
    for (const [index, total] of totals.entries()) {
      const last = totals[index - 1];
      if (last === undefined) continue;
      const hour = fromHour + index - 1;
      if (total !== last) this.#insert.hour.run(project_ref, hour, total);
      const endAt = (hour + 1) * hourMs;
      if (endAt % dayMs === 0) this.#insert.day.run(project_ref, dayOf(hour * hourMs), total);
    }
  }

  #usageOf(part: JoinedPart): UsageQuery {
    const known = this.#queries.get(part) ?? new UsageQuery(part.database);
    this.#queries.set(part, known);
    return known;
  }
}

/** The first reading of a history that counts: one that never read the counter before may have read it later. */
function findTaken(link: ProjectLink): { readonly at: number; readonly count?: number } {
  const { part, own, fromAt } = link;
  const isPruned = keptFromAt(part.database, 'samples') > fromAt;
  if (isPruned || lastSample(link, fromAt) !== undefined) return { at: fromAt };
  const first = part.database
    .prepare<[number, number], { readonly at: number; readonly cpu_used_sec: number }>(
      `SELECT at, cpu_used_sec FROM cpu_sample JOIN cpu_count_start USING (project_ref, at)
       WHERE project_ref = ? AND at > ? ORDER BY at LIMIT 1`,
    )
    .get(own, fromAt);
  return first === undefined
    ? { at: fromAt }
    : { at: first.at, count: Math.round(first.cpu_used_sec * 1000) };
}

function lastSample({ part, own }: ProjectLink, at: number): Sample | undefined {
  return part.database
    .prepare<[number, number], Sample>(
      `SELECT at, cpu_used_sec, after_at, base_sec FROM cpu_sample
       WHERE project_ref = ? AND at <= ? ORDER BY at DESC LIMIT 1`,
    )
    .get(own, at);
}
