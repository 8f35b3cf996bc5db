/** The CRC-32 of some bytes, in the form that lets more bytes be put behind or before them. */
export interface Checksum {
  readonly crc: number;
  /** x to the power of their bits, modulo the polynomial: the factor for the CRC of bytes before them. */
  readonly shift: number;
}

/** Bit-reversed, as CRC-32 has it: the highest bit is x to the power of 0. */
const polynomial = 0xedb88320;
const one = 0x80000000;

export const emptyChecksum: Checksum = { crc: 0, shift: one };

/** The checksum of `first` followed by `second`. */
export function joinChecksums(first: Checksum, second: Checksum): Checksum {
  return {
    crc: (multiply(second.shift, first.crc) ^ second.crc) >>> 0,
    shift: multiply(second.shift, first.shift),
  };
}

/** @param crc CRC-32 of that many bytes. */
export function checksumOf(crc: number, bytes: number): Checksum {
  let shift = one;
  for (let rest = bytes, power = 0; rest > 0; rest = Math.floor(rest / 2), power += 1) {
    if (rest % 2 === 1) shift = multiply(byteShifts[power] ?? one, shift);
  }
  return { crc, shift };
}

/** The product of two polynomials over GF(2), modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ polynomial;
  }
  return product >>> 0;
}

/** x to the power of 8 · 2ⁿ bits for every n a length in bytes can have. */
const byteShifts = listByteShifts();

function listByteShifts(): readonly number[] {
  const shifts = [one >>> 8];
  for (let power = 1; power < 53; power += 1) {
    const last = shifts[power - 1] ?? one;
    shifts.push(multiply(last, last));
  }
  return shifts;
}
