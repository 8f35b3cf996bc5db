import { compress } from 'snappyjs';

/** Headers of a request, those of a login aside. */
export const writeHeaders = {
  'content-encoding': 'snappy',
  'content-type': 'application/x-protobuf',
  'x-prometheus-remote-write-version': '0.1.0',
} as const;

/** The body of a request. */
export function compressSeries(series: readonly Uint8Array[]): Uint8Array {
  return compress(Buffer.concat(series));
}
