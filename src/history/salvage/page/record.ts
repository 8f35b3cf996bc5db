import { isUtf8 } from 'node:buffer';
import { DamagedPage } from './damaged-page.ts';
import { VarintReader } from './varint.ts';

/** A value as SQLite stores it. */
export type StoredValue = number | string | Buffer | null;

/** Bytes of whole numbers, by serial type. */
const integerBytes: readonly number[] = [0, 1, 2, 3, 4, 6, 8];
const doubleType = 7;
const zeroType = 8;
const oneType = 9;
const firstBlobType = 12;

/**
 * Decodes a record ("Database File Format", 2.1).
 *
 * @throws DamagedPage when it is none: its parts must fill it exactly.
 */
export function decodeRecord(payload: Buffer): StoredValue[] {
  const header = new VarintReader(payload, 0);
  const headerBytes = header.next();
  if (headerBytes > payload.length) throw new DamagedPage('a record is shorter than its header');
  const values: StoredValue[] = [];
  let at = headerBytes;
  while (header.at < headerBytes) {
    const type = header.next();
    const bytes = sizeOf(type);
    if (at + bytes > payload.length) throw new DamagedPage('a record is cut off');
    values.push(decodeValue(payload, at, type, bytes));
    at += bytes;
  }
  if (header.at !== headerBytes || at !== payload.length) throw new DamagedPage('a record is not filled');
  return values;
}

function sizeOf(type: number): number {
  if (type >= firstBlobType) return Math.floor((type - firstBlobType) / 2);
  if (type === doubleType) return 8;
  if (type === zeroType || type === oneType) return 0;
  const bytes = integerBytes[type];
  if (bytes === undefined) throw new DamagedPage('a value is of no type');
  return bytes;
}

function decodeValue(payload: Buffer, at: number, type: number, bytes: number): StoredValue {
  if (type === 0) return null;
  if (type === zeroType || type === oneType) return type - zeroType;
  if (type === doubleType) return payload.readDoubleBE(at);
  if (type < doubleType) return readInteger(payload, at, bytes);
  const value = payload.subarray(at, at + bytes);
  if (type % 2 === 0) return Buffer.from(value);
  if (!isUtf8(value)) throw new DamagedPage('a text is none');
  return value.toString('utf8');
}

function readInteger(payload: Buffer, at: number, bytes: number): number {
  if (bytes <= 6) return payload.readIntBE(at, bytes);
  const value = Number(payload.readBigInt64BE(at));
  if (!Number.isSafeInteger(value)) throw new DamagedPage('a number is too large');
  return value;
}
