import { hourMs } from '../../resources/duration.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { UsageGap } from '../usage/gap-query.ts';
import type { ReportHistory } from '../usage/report-history.ts';
import type { RowNumbers } from './history-part.ts';
import type { MergedUsage } from './merged-usage.ts';
import { gapBefore } from './moved-counter.ts';
import type { ProjectDirectory } from './project-directory.ts';

/** Roll-ups are of one history: what was moved is looked up instant by instant. */
export function mergeRollUps(directory: ProjectDirectory, numbers: RowNumbers): ReportHistory['rollUps'] {
  const unknown = (count: number, totals: Float64Array = new Float64Array(count)) => totals.fill(Number.NaN);
  const movedEndpoints = new Set(
    directory.chains
      .filter(({ links }) => links.length > 1)
      .flatMap(({ links }) =>
        links.flatMap(({ part, project }) =>
          part.history.activity
            .endpoints(project.project_ref)
            .map(({ endpoint_ref: ref }) => numbers.numberOf({ part, ref })),
        ),
      ),
  );
  return {
    used: (project_ref, firstDay, count, totals) => {
      const links = directory.get(project_ref)?.links ?? [];
      const [only] = links;
      return only === undefined || links.length > 1
        ? unknown(count, totals)
        : only.part.history.rollUps.used(only.project.project_ref, firstDay, count, totals);
    },
    compute: (endpoint_ref, firstDay, count, totals) => {
      if (movedEndpoints.has(endpoint_ref)) return unknown(count, totals);
      const { part, ref } = numbers.rowOf(endpoint_ref);
      return part.history.rollUps.compute(ref, firstDay, count, totals);
    },
  };
}

/** Use by the hour, in compute seconds. */
export function mergeHours(directory: ProjectDirectory, usage: MergedUsage): ReportHistory['hours'] {
  return {
    hours: (project_ref, firstHour, count, use: Float64Array = new Float64Array(count)) => {
      const links = directory.get(project_ref)?.links ?? [];
      const [only] = links;
      if (only !== undefined && links.length === 1)
        return only.part.history.hours.hours(only.project.project_ref, firstHour, count, use);
      let before = usage.usedUntil(project_ref, firstHour * hourMs);
      for (let index = 0; index < count; index += 1) {
        const total = usage.usedUntil(project_ref, (firstHour + index + 1) * hourMs);
        use[index] = (total - before) / 1000;
        before = total;
      }
      return use;
    },
  };
}

interface Stretch {
  readonly fromAt: number;
  readonly untilAt: number;
}

/** Gaps in the use of projects, those among them in which a project was moved and its counter set back. */
export function mergeGaps(directory: ProjectDirectory): ReportHistory['gaps'] {
  return {
    read: ({ project_ref }: UsageProject, stretch: Stretch) => {
      const links = directory.get(project_ref)?.links ?? [];
      return links.flatMap((link, index): readonly UsageGap[] => {
        const before = links[index - 1];
        const moved = before && gapBefore(link, before);
        const own = clip(link, stretch);
        const read = own === undefined ? [] : link.part.history.gaps.read(link.project, own);
        // A project that another history goes on with was not deleted.
        const isLast = index === links.length - 1;
        const kept = isLast ? read : read.filter(({ kind }) => kind !== 'project_deleted');
        const part = moved?.isReset ? clip(moved, stretch) : undefined;
        return part === undefined ? kept : [{ kind: 'counter_reset', ...part, isShort: false }, ...kept];
      });
    },
  };
}

function clip(whole: Stretch, part: Stretch): Stretch | undefined {
  const fromAt = Math.max(whole.fromAt, part.fromAt);
  const untilAt = Math.min(whole.untilAt, part.untilAt);
  return fromAt < untilAt ? { fromAt, untilAt } : undefined;
}
