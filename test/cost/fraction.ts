/** An exact number, apart from the arithmetic of the program. */
export class Fraction {
  static readonly zero = new Fraction(0n, 1n);
  readonly top: bigint;
  /** Above 0. */
  readonly bottom: bigint;

  constructor(top: bigint, bottom: bigint) {
    const common = bottom < 0n ? -gcd(top, bottom) : gcd(top, bottom);
    this.top = top / common;
    this.bottom = bottom / common;
  }

  static of(text: string | number): Fraction {
    const [whole = '', decimals = ''] = String(text).split('.');
    return new Fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
  }

  plus({ top, bottom }: Fraction): Fraction {
    return new Fraction(this.top * bottom + top * this.bottom, this.bottom * bottom);
  }

  minus({ top, bottom }: Fraction): Fraction {
    return this.plus(new Fraction(-top, bottom));
  }

  times({ top, bottom }: Fraction): Fraction {
    return new Fraction(this.top * top, this.bottom * bottom);
  }

  over({ top, bottom }: Fraction): Fraction {
    return new Fraction(this.top * bottom, this.bottom * top);
  }

  isAbove(other: Fraction): boolean {
    return this.minus(other).top > 0n;
  }

  least(other: Fraction): Fraction {
    return this.isAbove(other) ? other : this;
  }

  most(other: Fraction): Fraction {
    return this.isAbove(other) ? this : other;
  }

  /** The largest whole number that is not above it. */
  floor(): bigint {
    const down = this.top / this.bottom;
    return this.top < 0n && down * this.bottom !== this.top ? down - 1n : down;
  }

  /** Rounded to decimals, half a unit away from 0. */
  rounded(decimals: number): Fraction {
    const unit = 10n ** BigInt(decimals);
    const size = new Fraction(this.top < 0n ? -this.top : this.top, this.bottom);
    const units = size.times(new Fraction(unit, 1n)).plus(new Fraction(1n, 2n)).floor();
    return new Fraction(this.top < 0n ? -units : units, unit);
  }

  toString(): string {
    return `${this.top}/${this.bottom}`;
  }
}

export function sumOf(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce((sum, each) => sum.plus(each), Fraction.zero);
}

function gcd(a: bigint, b: bigint): bigint {
  let [one, other] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (other !== 0n) [one, other] = [other, one % other];
  return one;
}
