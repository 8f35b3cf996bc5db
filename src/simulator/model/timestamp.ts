/** ISO 8601 UTC with second precision, for example `2026-11-21T10:00:00Z`. */
export function formatSecond(second: number): string {
  return `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
}

/** As `formatSecond`, with six decimals: the form of pagination cursors. */
export function formatMicrosecond(microsecond: number): string {
  const fraction = String(microsecond % 1_000_000).padStart(6, '0');
  return `${formatSecond(Math.floor(microsecond / 1_000_000)).slice(0, 19)}.${fraction}Z`;
}

/** Microseconds since the epoch of an ISO 8601 UTC timestamp with up to six decimals; undefined for anything else. */
export function parseMicrosecond(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/.exec(text);
  const milliseconds = Date.parse(`${match?.[1]}Z`);
  if (Number.isNaN(milliseconds)) return undefined;
  return milliseconds * 1000 + Number((match?.[2] ?? '').padEnd(6, '0'));
}
