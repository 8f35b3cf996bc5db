/** A request of remote write as its receiver reads it; nothing here is shared with what writes it. */
export interface ReceivedSeries {
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly samples: readonly ReceivedSample[];
}

interface ReceivedSample {
  readonly value: number;
  /** The bits of the value: a NaN may mean that the series has ended. */
  readonly bits: bigint;
  /** Epoch milliseconds. */
  readonly at: number;
}

export const staleBits = 0x7ff0000000000002n;

/** @param body as it came: in the block format of snappy. */
export function readWriteRequest(body: Uint8Array): readonly ReceivedSeries[] {
  return [...readFields(uncompress(body))].map(([field, series]) => {
    if (field !== 1) throw new Error(`a request has no field ${field}`);
    const fields = [...readFields(series.bytes)];
    return {
      labels: fields.filter(([number]) => number === 1).map(([, label]) => readLabel(label.bytes)),
      samples: fields.filter(([number]) => number === 2).map(([, sample]) => readSample(sample.bytes)),
    };
  });
}

function readLabel(bytes: Uint8Array): readonly [string, string] {
  const texts = new Map([...readFields(bytes)].map(([field, { bytes }]) => [field, Buffer.from(bytes)]));
  return [texts.get(1)?.toString('utf8') ?? '', texts.get(2)?.toString('utf8') ?? ''];
}

function readSample(bytes: Uint8Array): ReceivedSample {
  const fields = new Map(readFields(bytes));
  const value = fields.get(1)?.bytes ?? new Uint8Array(8);
  const view = new DataView(value.buffer, value.byteOffset, 8);
  return {
    value: view.getFloat64(0, true),
    bits: view.getBigUint64(0, true),
    at: Number(fields.get(2)?.number ?? 0n),
  };
}

interface FieldContent {
  readonly number: bigint;
  readonly bytes: Uint8Array;
}

/** The wire format of protobuf: a tag and a content, one after the other. */
function* readFields(bytes: Uint8Array): Generator<readonly [field: number, content: FieldContent]> {
  for (let offset = 0; offset < bytes.length; ) {
    const tag = readVarint(bytes, offset);
    const content = readVarint(bytes, tag.end);
    const field = Number(tag.value >> 3n);
    const type = Number(tag.value & 7n);
    const [from, until] =
      type === 1
        ? [tag.end, tag.end + 8]
        : type === 2
          ? [content.end, content.end + Number(content.value)]
          : [content.end, content.end];
    if (![0, 1, 2].includes(type) || until > bytes.length) throw new Error(`cut off, or of type ${type}`);
    yield [field, { number: content.value, bytes: bytes.subarray(from, until) }];
    offset = until;
  }
}

function readVarint(bytes: Uint8Array, start: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let index = start; index < start + 10 && index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (index - start));
    if (byte < 0x80) return { value, end: index + 1 };
  }
  // The content of a fixed field is no number of this kind.
  return { value, end: start };
}

/** The block format of snappy: its length, then literals and copies of what came before. */
function uncompress(bytes: Uint8Array): Uint8Array {
  const { value: length, end } = readVarint(bytes, 0);
  const out = new Uint8Array(Number(length));
  let written = 0;
  for (let offset = end; offset < bytes.length; ) {
    const tag = bytes[offset] ?? 0;
    const little = (from: number, count: number) =>
      bytes.subarray(from, from + count).reduce((sum, byte, index) => sum + byte * 256 ** index, 0);
    offset += 1;
    if ((tag & 3) === 0) {
      const extra = Math.max(0, (tag >> 2) - 59);
      const size = (extra === 0 ? tag >> 2 : little(offset, extra)) + 1;
      offset += extra;
      out.set(bytes.subarray(offset, offset + size), written);
      offset += size;
      written += size;
      continue;
    }
    const width = { 1: 1, 2: 2, 3: 4 }[tag & 3] ?? 0;
    const size = width === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const distance = little(offset, width) + (width === 1 ? (tag >> 5) * 256 : 0);
    offset += width;
    if (distance === 0 || distance > written) throw new Error('a copy of what was not there');
    for (let index = 0; index < size; index += 1, written += 1) out[written] = out[written - distance] ?? 0;
  }
  if (written !== out.length) throw new Error(`${written} bytes of ${out.length}`);
  return out;
}
