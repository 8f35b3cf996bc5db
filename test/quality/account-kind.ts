import type { AccountRecord } from './account-record.ts';
import { simulateAccount } from './simulated-account.ts';
import { inventAccount } from './synthetic-account.ts';

/** Where accounts to measure with come from. */
interface AccountKind {
  readonly name: string;
  create(seed: number): AccountRecord;
  /** In which nothing happens that is out of all proportion. */
  createCalm(seed: number): AccountRecord;
}

export const accountKinds: readonly AccountKind[] = [
  { name: 'simulated fleets', create: simulateAccount, createCalm: simulateAccount },
  {
    name: 'invented weekly rhythms',
    create: inventAccount,
    createCalm: seed => inventAccount(seed, { spikes: false }),
  },
];
