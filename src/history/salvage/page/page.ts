import { DamagedPage } from './damaged-page.ts';
import { VarintReader } from './varint.ts';

/** A cell of a page of a b-tree ("Database File Format", 1.6). */
export interface Cell {
  /** The page with what lies before it; in interior pages. */
  readonly child?: number;
  /** In tables that have one. */
  readonly rowid?: number;
  readonly payloadBytes: number;
  /** The part of the payload that is on the page. */
  readonly local: Buffer;
  /** The first page with the rest. */
  readonly overflowPage?: number;
}

export interface BTreePage {
  readonly isLeaf: boolean;
  /** Rows are found by their rowid; otherwise by the columns they begin with. */
  readonly hasRowids: boolean;
  readonly cells: readonly Cell[];
  /** The page with what lies behind the last cell; in interior pages. */
  readonly rightChild?: number;
}

interface PageKind {
  readonly isLeaf: boolean;
  readonly hasRowids: boolean;
}

const kinds: Readonly<Record<number, PageKind>> = {
  2: { isLeaf: false, hasRowids: false },
  5: { isLeaf: false, hasRowids: true },
  10: { isLeaf: true, hasRowids: false },
  13: { isLeaf: true, hasRowids: true },
};

const noBytes = Buffer.alloc(0);

/**
 * Parses a page of a b-tree.
 *
 * @param bytes without bytes reserved at the end.
 * @param headerAt where it begins: the first page has the header of the file before it.
 * @throws DamagedPage when it is none, also where its cells do not fit beside each other.
 */
export function parsePage(bytes: Buffer, headerAt: number): BTreePage {
  const kind = kinds[bytes[headerAt] ?? 0];
  if (kind === undefined) throw new DamagedPage('it is no page of a b-tree');
  const count = bytes.readUInt16BE(headerAt + 3);
  const pointersAt = headerAt + (kind.isLeaf ? 8 : 12);
  const cellsFrom = pointersAt + 2 * count;
  if (cellsFrom > bytes.length) throw new DamagedPage('it has more cells than there is room for');
  const cells: Cell[] = [];
  const places: [from: number, until: number][] = [];
  for (let index = 0; index < count; index += 1) {
    const at = bytes.readUInt16BE(pointersAt + 2 * index);
    if (at < cellsFrom) throw new DamagedPage('a cell is in the place of others');
    const { cell, until } = parseCell(bytes, at, kind);
    if (until > bytes.length) throw new DamagedPage('a cell is cut off');
    cells.push(cell);
    places.push([at, until]);
  }
  places.sort(([a], [b]) => a - b);
  if (places.some(([, until], index) => until > (places[index + 1]?.[0] ?? until)))
    throw new DamagedPage('cells overlap');
  return { ...kind, cells, ...(!kind.isLeaf && { rightChild: bytes.readUInt32BE(headerAt + 8) }) };
}

function parseCell(bytes: Buffer, at: number, { isLeaf, hasRowids }: PageKind) {
  const child = isLeaf ? undefined : readPageNumber(bytes, at);
  const reader = new VarintReader(bytes, isLeaf ? at : at + 4);
  const pointer = child === undefined ? {} : { child };
  if (hasRowids && !isLeaf) {
    const cell: Cell = { ...pointer, rowid: reader.next(), payloadBytes: 0, local: noBytes };
    return { cell, until: reader.at };
  }
  const payloadBytes = reader.next();
  const rowid = hasRowids ? { rowid: reader.next() } : {};
  const localBytes = localBytesOf(payloadBytes, bytes.length, hasRowids);
  const end = reader.at + localBytes;
  const local = bytes.subarray(reader.at, end);
  if (localBytes === payloadBytes) {
    return { cell: { ...pointer, ...rowid, payloadBytes, local }, until: end };
  }
  const overflowPage = readPageNumber(bytes, end);
  return { cell: { ...pointer, ...rowid, payloadBytes, local, overflowPage }, until: end + 4 };
}

function readPageNumber(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) throw new DamagedPage('a number of a page is cut off');
  return bytes.readUInt32BE(at);
}

/** How much of a payload is on the page itself, by the rule of the format. */
function localBytesOf(payloadBytes: number, usable: number, hasRowids: boolean): number {
  const most = hasRowids ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (payloadBytes <= most) return payloadBytes;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const local = least + ((payloadBytes - least) % (usable - 4));
  return local <= most ? local : least;
}
