import type { Problem } from './problem.ts';
import { settings } from './setting.ts';
import type { Setting } from './setting-row.ts';
import { makeProblem, type WrittenValue } from './written-value.ts';

type Layer = ReadonlyMap<string, WrittenValue>;

const { keepSamplesMs, keepHoursMs, keepDaysMs } = settings.history;

/** Each is made of the one before it and outlives it. */
const stages = [
  { finer: keepSamplesMs, coarser: keepHoursMs },
  { finer: keepHoursMs, coarser: keepDaysMs },
];

/** A problem for each roll-up that would be thrown away before what it is made of; `layers` from the strongest. */
export function findRetentionProblems(
  layers: readonly Layer[],
  read: (setting: Setting<number>, written: WrittenValue) => number | undefined,
): Problem[] {
  const inEffect = (setting: Setting<number>): WrittenValue =>
    layers.find(layer => layer.has(setting.key))?.get(setting.key) ?? {
      text: setting.default ?? '',
      where: 'default',
      key: setting.key,
    };
  return stages.flatMap(({ finer, coarser }) => {
    const [kept, keptCoarser] = [inEffect(finer), inEffect(coarser)];
    const [finerMs, coarserMs] = [read(finer, kept), read(coarser, keptCoarser)];
    if (finerMs === undefined || coarserMs === undefined || coarserMs >= finerMs) return [];
    const named = ({ key, text, where }: WrittenValue) => `${key} (${where}: ${text})`;
    if (keptCoarser.where === 'default') {
      const found = `${kept.text}, longer than ${named(keptCoarser)}`;
      return [makeProblem(kept, found, `write ${keptCoarser.text} or less, or a longer ${coarser.key}`)];
    }
    const found = `${keptCoarser.text}, shorter than ${named(kept)}`;
    return [makeProblem(keptCoarser, found, `write ${kept.text} or more`)];
  });
}
