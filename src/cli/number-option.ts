import { InvalidArgumentError, Option } from 'commander';

/** A flag for a whole number within limits, with its default if it has one. */
export function numberOption(
  flags: string,
  description: string,
  { least, most, byDefault }: { readonly least: number; readonly most: number; readonly byDefault?: number },
): Option {
  return new Option(flags, description).default(byDefault).argParser((text: string) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`write a whole number from ${least} to ${most}`);
  });
}
