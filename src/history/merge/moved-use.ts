import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { statementsOf } from '../file/statement.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { dayOf, hourOf } from '../usage/roll-up-query.ts';
import { SampleInterpolation } from '../usage/sample-interpolation.ts';
import { UsageQuery } from '../usage/usage-query.ts';
import type { JoinedPart, JoinedProject, ProjectLink } from './joined-project.ts';
import { insertRow, type Row, rowsOf } from './row-copy.ts';

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

/** Joins the counters of projects that moved: from history to history they go on from what the one before came to. */
export class MovedUse {
  readonly #joined: Database;
  readonly #queries = new Map<JoinedPart, UsageQuery>();
  readonly #samplesKeptAt: number;

  /** @param joined knows since when it has rows of each kind. */
  constructor(joined: Database) {
    this.#joined = joined;
    this.#samplesKeptAt = keptFromAt(joined, 'samples');
  }

  /** @param project has its own row, and its endpoints have their ledgers. */
  join(project: JoinedProject): void {
    const links = this.#count(project);
    for (const [index, link] of links.entries()) {
      this.#writeSamples(project, link, links[index + 1]?.takenAt);
      this.#writeSources(project, link);
    }
    const rolledUntil = this.#writeTotals(project, links);
    const ahead = links.at(-1)?.ahead ?? 0;
    statementsOf(this.#joined).run<[number, number, number]>`
      UPDATE project SET cpu_used_total_sec = cpu_used_total_sec + ?, rolled_until_hour = ? WHERE project_ref = ?`(
      ahead / 1000,
      rolledUntil,
      project.project_ref,
    );
  }

  #count({ moves }: JoinedProject): readonly CountedLink[] {
    const counted: CountedLink[] = [];
    for (const link of moves) {
      const { part, own, life, cutAt } = link;
      const usage = this.#usageOf(part);
      const rolledUntilHour =
        statementsOf(part.database).value<[number], number>`
          SELECT rolled_until_hour FROM project WHERE project_ref = ?`(own) ?? 0;
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
      const grownFromAt = isGone ? lastCountAt : Math.max(lastCountAt, cutAt);
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
    const told = { column: 'at', from: takenAt, until: Math.min(untilAt, nextAt - 1) + 1 };
    const rows = rowsOf(part.database, 'cpu_sample', { project_ref: own }, told);
    const held = isFirst || rows[0]?.at === takenAt ? undefined : lastSample(link, takenAt);
    for (const row of [...(held ? [{ ...held, at: takenAt }] : []), ...rows])
      insertRow(this.#joined, 'cpu_sample', {
        ...{ ...row, project_ref, base_sec: Number(row.base_sec) + ahead / 1000 },
        ...(!isFirst && row.at === takenAt && { after_at: grownFromAt ?? null }),
      });
    const starts = rowsOf(part.database, 'cpu_count_start', { project_ref: own }, told);
    for (const { at = null } of starts)
      if (at !== takenAt) insertRow(this.#joined, 'cpu_count_start', { project_ref, at });
    if (isReset) insertRow(this.#joined, 'cpu_count_start', { project_ref, at: takenAt });
  }

  #writeSources({ project_ref }: JoinedProject, { part, own, cutAt, untilAt }: CountedLink): void {
    const told = { column: 'at', from: cutAt, until: untilAt + 1 };
    for (const row of rowsOf(part.database, 'cpu_source_change', { project_ref: own }, told))
      insertRow(this.#joined, 'cpu_source_change', { ...row, project_ref });
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
        this.#fill(project_ref, before, link, rolled, takenHour);
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

  #writeOwn(project_ref: number, link: CountedLink, fromHour: number, untilHour: number): void {
    this.#writeSlots(project_ref, link, 'hour', fromHour, untilHour);
    const fromDay = Math.ceil((fromHour * hourMs - dayMs) / dayMs);
    this.#writeSlots(project_ref, link, 'day', Math.max(fromDay, -1), dayOf(untilHour * hourMs));
  }

  #writeSlots(
    project_ref: number,
    { part, own, ahead }: CountedLink,
    slot: 'hour' | 'day',
    from: number,
    until: number,
  ): void {
    const told = { column: slot, from, until };
    for (const row of rowsOf(part.database, `usage_${slot}`, { project_ref: own }, told))
      insertRow(this.#joined, `usage_${slot}`, { ...row, project_ref, total: Number(row.total) + ahead });
  }

  /** Rolls the time up in which the project moved; where its samples are gone it was used evenly. */
  #fill(
    project_ref: number,
    before: CountedLink,
    link: CountedLink,
    fromHour: number,
    untilHour: number,
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
            ...new SampleInterpolation(this.#joined).usedAtSteps(
              project_ref,
              fromAt,
              untilHour * hourMs,
              hourMs,
            ),
          ]
        : ends.map(evenly);
    for (const [index, total] of totals.entries()) {
      const last = totals[index - 1];
      if (last === undefined) continue;
      const hour = fromHour + index - 1;
      if (total !== last) insertRow(this.#joined, 'usage_hour', { project_ref, hour, total });
      const endAt = (hour + 1) * hourMs;
      if (endAt % dayMs === 0)
        insertRow(this.#joined, 'usage_day', { project_ref, day: dayOf(hour * hourMs), total });
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
  const first = statementsOf(part.database).one<
    [number, number],
    { readonly at: number; readonly cpu_used_sec: number }
  >`
    SELECT at, cpu_used_sec FROM cpu_sample JOIN cpu_count_start USING (project_ref, at)
    WHERE project_ref = ? AND at > ? ORDER BY at LIMIT 1`(own, fromAt);
  return first === undefined
    ? { at: fromAt }
    : { at: first.at, count: Math.round(first.cpu_used_sec * 1000) };
}

function lastSample({ part, own }: ProjectLink, at: number): Row | undefined {
  return statementsOf(part.database).one<[number, number], Row>`
    SELECT * FROM cpu_sample WHERE project_ref = ? AND at <= ? ORDER BY at DESC LIMIT 1`(own, at);
}
