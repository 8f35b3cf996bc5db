import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { compress } from 'snappyjs';
import type { SeriesName } from '../../resources/backfill.ts';

/** A value that a series has at one instant after the other. */
export interface SeriesRun {
  readonly fromIndex: number;
  /** The first instant it is not of. */
  readonly untilIndex: number;
  /** Absent where the series ends: a receiver then shows it no longer. */
  readonly value?: number;
}

/** A NaN with these bits says that a series has ended (remote write 1.0, "Stale markers"). */
const staleMarker = 0x7ff0_0000_0000_0002n;

// Numbers of the fields of WriteRequest, TimeSeries, Label and Sample.
const timeseriesField = 1;
const labelsField = 1;
const samplesField = 2;
const labelName = 1;
const labelValue = 2;
const sampleValue = 1;
const sampleTimestamp = 2;

/**
 * One series as a WriteRequest of its own: several make one when they follow each other.
 *
 * @param runs the oldest first.
 * @param instants in epoch milliseconds, the oldest first.
 */
export function encodeTimeSeries(
  name: SeriesName,
  runs: Iterable<SeriesRun>,
  instants: readonly number[],
): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  writer.tag(timeseriesField, WireType.LengthDelimited).fork();
  for (const [label, value] of sortLabels(name)) {
    writer.tag(labelsField, WireType.LengthDelimited).fork();
    writer.tag(labelName, WireType.LengthDelimited).string(label);
    writer.tag(labelValue, WireType.LengthDelimited).string(value);
    writer.join();
  }
  for (const { fromIndex, untilIndex, value } of runs) {
    for (let index = fromIndex; index < untilIndex; index += 1) {
      writer.tag(samplesField, WireType.LengthDelimited).fork().tag(sampleValue, WireType.Bit64);
      if (value === undefined) writer.fixed64(staleMarker);
      else writer.double(value);
      writer
        .tag(sampleTimestamp, WireType.Varint)
        .int64(instants[index] ?? 0)
        .join();
    }
  }
  return writer.join().finish();
}

/** Sorted as receivers want them, the name among them; an empty label is one that is not there. */
function sortLabels({ name, labels }: SeriesName): readonly (readonly [string, string])[] {
  const given = labels.filter(([, value]) => value !== '');
  return [['__name__', name] as const, ...given].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** Headers of a request, without a login. */
export const writeHeaders = {
  'content-encoding': 'snappy',
  'content-type': 'application/x-protobuf',
  'x-prometheus-remote-write-version': '0.1.0',
} as const;

/** The body of a request. */
export function compressSeries(series: readonly Uint8Array[]): Uint8Array {
  return compress(Buffer.concat(series));
}
