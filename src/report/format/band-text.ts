/** Bounds as they are shown, `€20.00 to €30.00`; null where both read as one amount. */
export function sayBand(low: string, high: string): string | null {
  return low === high ? null : `${low} to ${high}`;
}
