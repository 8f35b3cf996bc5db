import { pipeline, Readable } from 'node:stream';
import { constants, createInflateRaw } from 'node:zlib';
import { gzipHeader } from '../page/gzip.ts';

const readBytes = 65_536;
const writtenBytes = 131_072;

/**
 * Decompresses a gzip stream without an end as it is taken, off the event loop: whoever takes it slowly keeps next to
 * nothing of it in memory.
 */
export async function* readPlain(gzip: Uint8Array): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: writtenBytes });
  // Its errors come out of the loop, too.
  pipeline(Readable.from(copy(gzip)), inflate, () => {});
  for await (const chunk of inflate) yield chunk;
}

/** In copies: the thread that decompresses may still read one when the memory of the page is already given back. */
function* copy(gzip: Uint8Array): Generator<Buffer> {
  for (let start = gzipHeader.length; start < gzip.length; start += readBytes) {
    yield Buffer.from(gzip.subarray(start, start + readBytes));
  }
}
