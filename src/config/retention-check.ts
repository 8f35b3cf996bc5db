import type { Problem } from './problem.ts';
import { settings } from './setting.ts';
import type { Setting } from './setting-row.ts';
import { nodeProblem, textOf, type WrittenNode } from './written-node.ts';

/** Each is made of the one before it and outlives it. */
const stages = [
  [settings['history.keep_samples'], settings['history.keep_hours']],
  [settings['history.keep_hours'], settings['history.keep_days']],
] as const;

/**
 * A problem for each roll-up that would be thrown away before what it is made of.
 *
 * @param inEffect the setting as it is written where it counts.
 * @param read its value in milliseconds; undefined for one that is wrong.
 */
export function findRetentionProblems(
  inEffect: (setting: Setting) => WrittenNode,
  read: (setting: Setting<'duration'>) => number | undefined,
): Problem[] {
  return stages.flatMap(([finer, coarser]) => {
    const [finerMs, coarserMs] = [read(finer), read(coarser)];
    if (finerMs === undefined || coarserMs === undefined || coarserMs >= finerMs) return [];
    const [kept, keptCoarser] = [inEffect(finer), inEffect(coarser)];
    const nameOf = (node: WrittenNode) => `${node.key} (${node.where}: ${textOf(node)})`;
    if (keptCoarser.where === 'default') {
      const expected = `write ${textOf(keptCoarser)} or less, or a longer ${coarser.key}`;
      return [nodeProblem(kept, `${textOf(kept)}, longer than ${nameOf(keptCoarser)}`, expected)];
    }
    const found = `${textOf(keptCoarser)}, shorter than ${nameOf(kept)}`;
    return [nodeProblem(keptCoarser, found, `write ${textOf(kept)} or more`)];
  });
}
