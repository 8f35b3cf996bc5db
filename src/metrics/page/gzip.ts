import { crc32, deflateRawSync } from 'node:zlib';

/** Deflate, no name, no time, of no particular system. */
export const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

/**
 * The last text of a gzip stream, with its end.
 *
 * @param crc CRC-32 of what was compressed before.
 * @param bytes length of it.
 */
export function endGzip(tail: Buffer, crc: number, bytes: number): Buffer {
  const deflated = deflateRawSync(tail, { level: 1, windowBits: 13, memLevel: 6 });
  const end = Buffer.alloc(deflated.length + 8);
  end.set(deflated);
  end.writeUInt32LE(crc32(tail, crc), deflated.length);
  end.writeUInt32LE((bytes + tail.length) % 2 ** 32, deflated.length + 4);
  return end;
}
