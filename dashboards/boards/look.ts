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
export const plain: Bands = { base: 'text', above: [] };

/**
 * Amounts with separators, and as many decimals as a currency has at most; the currency stands in the name beside them, as
 * Grafana 10 has no unit with both.
 */
export const money = { unit: 'locale', decimals: 3, isMoney: true } as const;

/** An amount with no more decimals than its currency has: the unit shows those there are. */
export function roundMoney(expression: string): string {
  return `round(${expression}, $cent)`;
}

/** Hours with separators: Grafana makes weeks of the seconds of a month. */
export const hours = { unit: 'locale', decimals: 1 } as const;

/** Empty where the service does not meter, or where what it meters has no price. */
export const metered = { filledBy: 'service metered', noValue: 'no meter' } as const;
export const meterPriced = { filledBy: 'meter priced', noValue: 'no metered prices' } as const;

/** The unit of what is counted: none. */
export const count = 'none';

/** The unit of counts by the minute. Grafana's own unit for them shows "c/m". */
export const perMinute = 'suffix:a minute';

const minute = 60;
/** Age in seconds of what is read project by project; idle ones are read every `collect.idle_refresh`. */
export const projectAgeBands = risingBands(30 * minute, 45 * minute);
/** Age in seconds of lists; that of the API keys is read every `collect.api_keys_refresh`. */
export const listAgeBands = risingBands(10 * minute, 20 * minute);

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

/** Values of a label as they are, with blanks for underscores. */
export const inWords: ValueMapping[] = [
  { type: MappingType.RegexToText, options: { pattern: '/_/g', result: { text: ' ' } } },
];

/** Words in place of the values of a label. */
export function toWords(words: Readonly<Record<string, string>>) {
  const options = Object.fromEntries(
    Object.entries(words).map(([value, text], index) => [value, { text, index }]),
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

/** A flag that should be true. */
export const yesIsGood = {
  mappings: yesOrNo('green', 'red'),
  bands: { base: 'red', above: [[1, 'green']] },
} satisfies { readonly mappings: ValueMapping[]; readonly bands: Bands };
