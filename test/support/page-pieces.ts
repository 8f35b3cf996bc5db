/** All pieces of a page together. */
export async function readPieces(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}
