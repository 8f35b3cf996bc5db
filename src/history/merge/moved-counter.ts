import type { ProjectChain, ProjectLink } from './project-chain.ts';

/** A stretch in which a project was moved and nobody read it. */
export interface MoveGap {
  readonly fromAt: number;
  readonly untilAt: number;
  /** CU-milliseconds the counter grew by. */
  readonly grown: number;
  /** Whether the counter was set back meanwhile, so that more may have been used. */
  readonly isReset: boolean;
}

/** The growth of a project's counter before a history took it over; undefined where it was read all the time. */
export function gapBefore(link: ProjectLink, before: ProjectLink): MoveGap | undefined {
  const { cutAt, fromAt } = link;
  const { lastCountAt, isGone } = before.life;
  if (lastCountAt >= fromAt) return undefined;
  const { usage } = link.part.history;
  const { project_ref } = link.project;
  const counted =
    link.life.firstCount ?? usage.usedUntil(project_ref, fromAt) + (usage.unplacedOf(project_ref)?.cuMs ?? 0);
  const isReset = counted < before.life.lastCount;
  const grown = isReset ? counted : counted - before.life.lastCount;
  return { fromAt: isGone ? lastCountAt : Math.max(lastCountAt, cutAt), untilAt: fromAt, grown, isReset };
}

/** Use of a project before an instant, from all histories that speak for it; between two of them it grows evenly. */
export function chainedUse({ links }: ProjectChain, at: number): number {
  let total = 0;
  for (const [index, link] of links.entries()) {
    const { usage } = link.part.history;
    const { project_ref } = link.project;
    const until = usage.usedUntil(project_ref, Math.min(at, link.untilAt));
    const before = links[index - 1];
    if (before === undefined) {
      total += until;
      continue;
    }
    const gap = gapBefore(link, before);
    if (gap !== undefined && at > gap.fromAt) total += grownBy(gap, at);
    if (at > link.fromAt) total += until - usage.usedUntil(project_ref, link.fromAt);
  }
  return total;
}

function grownBy({ fromAt, untilAt, grown }: MoveGap, at: number): number {
  return at >= untilAt ? grown : Math.floor((grown * (at - fromAt)) / (untilAt - fromAt));
}

/** An amount before an instant that each history tells by itself, from when the one before it ends. */
export function chainedAmount(
  { links }: ProjectChain,
  at: number,
  amountOf: (link: ProjectLink, at: number) => number,
): number {
  let total = 0;
  for (const link of links) {
    if (at <= link.cutAt) break;
    const until = amountOf(link, Math.min(at, link.untilAt));
    total += link.cutAt === Number.NEGATIVE_INFINITY ? until : until - amountOf(link, link.cutAt);
  }
  return total;
}
