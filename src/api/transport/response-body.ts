import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Turn } from './turn.ts';

/** The codings asked for; an answer in any other is refused. */
export const acceptedEncodings = 'gzip, deflate, br';

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** A body that is not read to its end, because it is larger than allowed. */
export class BodyTooLargeError extends Error {}

/** A body in a coding that was not asked for. */
export class UnknownEncodingError extends Error {}

export interface EncodedBody {
  readonly stream: Readable;
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
}

export interface BodyBounds {
  readonly maxBodyBytes: number;
  /** The turn of bodies that are large: several at a time would take as much memory each. */
  readonly largeBodies: Turn;
}

/** A page of a list is smaller; a list that is not paged may be larger. */
const largeBytes = 4 * 1024 * 1024;

/**
 * Reads a body to its end, decompressed, as text. Counts what comes out while it comes, so that a small body that
 * unpacks into a huge one never stands in memory, and waits for its turn when much has come. Throws BodyTooLargeError or UnknownEncodingError, else whatever the
 * transport or the decompression throws; the connection is then given up.
 */
export async function readResponseBody(
  body: EncodedBody,
  { maxBodyBytes, largeBodies }: BodyBounds,
): Promise<string> {
  const { stream } = body;
  let endTurn: (() => void) | undefined;
  try {
    if (Number(body.contentLength) > maxBodyBytes) throw new BodyTooLargeError();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of decode(stream, body.contentEncoding)) {
      size += chunk.length;
      if (size > maxBodyBytes) throw new BodyTooLargeError();
      chunks.push(chunk);
      if (size > largeBytes) endTurn ??= await largeBodies.take();
    }
    return new TextDecoder().decode(Buffer.concat(chunks, size));
  } finally {
    endTurn?.();
    if (!stream.readableEnded) stream.on('error', () => {}).destroy();
  }
}

function decode(stream: Readable, contentEncoding = 'identity'): AsyncIterable<Buffer> {
  const encoding = contentEncoding.trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return stream;
  const createDecoder = decoders.get(encoding);
  if (createDecoder === undefined) throw new UnknownEncodingError();
  // An error on the way reaches the reader through the decoder, which the pipeline destroys with the error.
  return pipeline(stream, createDecoder(), () => {});
}
