import { MappingType, ThresholdsMode, type ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard';

/** The value from which each colour holds; `base` below the first. */
export interface Bands {
  readonly base: string;
  readonly above: readonly (readonly [from: number, colour: string])[];
}

/** Good up to `warnFrom`, bad from `badFrom` on. */
export function risingBands(warnFrom: number, badFrom: number): Bands {
  return {
    base: 'green',
    above: [
      [warnFrom, 'orange'],
      [badFrom, 'red'],
    ],
  };
}

/** Good at zero only. */
export const zeroIsGood: Bands = { base: 'green', above: [[1, 'red']] };
/** Good at one only. */
export const oneIsGood: Bands = { base: 'red', above: [[1, 'green']] };
export const plain: Bands = { base: 'text', above: [] };

/** Bands as the thresholds of a panel or a column. */
export function toThresholds({ base, above }: Bands) {
  const steps = [{ value: null, color: base }, ...above.map(([value, color]) => ({ value, color }))];
  return { mode: ThresholdsMode.Absolute, steps };
}

/** A word and a colour in place of each number. */
export function toMappings(words: readonly (readonly [value: number, text: string, colour: string])[]) {
  const options = Object.fromEntries(
    words.map(([value, text, color], index) => [String(value), { text, color, index }]),
  );
  return [{ type: MappingType.ValueToText, options }] satisfies ValueMapping[];
}

/** A flag as words, where true is good news, bad news or no news. */
export function yesOrNo(colourOfYes: string, colourOfNo: string) {
  return toMappings([
    [1, 'yes', colourOfYes],
    [0, 'no', colourOfNo],
  ]);
}
