/** A number as people read it, with at most one decimal: `1,574`, `140.2`. */
export function renderCount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}

const megabyte = 1e6;
const gigabyte = 1e9;

/** A size as people read it: `194.7 MB`, `13.9 GB`. What rounds up to a gigabyte is `1 GB`, not `1,000 MB`. */
export function renderBytes(bytes: number): string {
  const tenths = Math.round((10 * bytes) / megabyte);
  return tenths < (10 * gigabyte) / megabyte
    ? `${renderCount(tenths / 10)} MB`
    : `${renderCount(bytes / gigabyte)} GB`;
}
