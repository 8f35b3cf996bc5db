import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

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
  /** Large bodies are read one at a time, for their memory. */
  readonly largeBodies: Mutex;
}

/** A page of a list is smaller; a list that is not paged may be larger. */
const largeBytes = 4 * 1024 * 1024;

/**
 * Reads a body to its end, decompressed, as text. Counts what comes out while it comes, so that a small body that
 * unpacks into a huge one never stands in memory. A large body waits for other large ones. Throws BodyTooLargeError,
 * UnknownEncodingError, or what the transport or the decompression throws; the connection is then given up.
 */
export async function readResponseBody(
  body: EncodedBody,
  { maxBodyBytes, largeBodies }: BodyBounds,
): Promise<string> {
  const { stream } = body;
  let release: (() => void) | undefined;
  try {
    if (Number(body.contentLength) > maxBodyBytes) throw new BodyTooLargeError();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of decode(stream, body.contentEncoding)) {
      size += chunk.length;
      if (size > maxBodyBytes) throw new BodyTooLargeError();
      chunks.push(chunk);
      if (size > largeBytes) release ??= await largeBodies.take();
    }
    return new TextDecoder().decode(Buffer.concat(chunks, size));
  } finally {
    release?.();
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

/** Lets one at a time do something, in the order of asking. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /**
   * Resolves when all before are done.
   *
   * @returns what to call once, when this one is done.
   */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return resolve;
  }
}
