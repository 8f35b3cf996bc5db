import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BillCase } from './bill-case.ts';

/** A line as the oracle writes it: amounts are fractions such as `-7/30`. */
export interface OracleLine {
  readonly kind: string;
  readonly project?: string;
  readonly plan?: string;
  readonly name?: string;
  readonly tier?: number;
  /** After the discount, of a compute hour or another unit. */
  readonly price?: string;
  readonly quantity?: string;
  readonly currency?: string;
  readonly amount?: string;
  readonly display_amount?: string;
  /** In CU-milliseconds, or in units of the meter. */
  readonly included?: number;
  readonly billed?: number;
  readonly unpriced?: number;
}

const program = fileURLToPath(new URL('bill.py', import.meta.url));

/** Asks for many bills at once: what takes long is the start. */
export function askOracle(python: string, cases: readonly BillCase[]): OracleLine[][] {
  const { status, stdout, stderr } = spawnSync(python, ['-B', program], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`the oracle ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as OracleLine[][];
}
