import { currencyDecimals } from '../money/money.ts';

/** Decimals of compute hours. */
const hourDecimals = 2;

/** Decimals of amounts of a budget, whose unit is a currency or `compute_hours`. */
export function budgetDecimals(unit: string): number {
  return unit === 'compute_hours' ? hourDecimals : currencyDecimals(unit);
}
