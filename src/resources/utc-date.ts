/** The day of UTC an instant lies in, such as `2026-10-05`. */
export function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
