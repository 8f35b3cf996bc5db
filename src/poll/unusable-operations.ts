import type { Reason } from '../resources/reason.ts';

/** Operations most of which cannot be used: the others would pass for all there are. */
export class UnusableOperations extends Error {
  override readonly name = 'UnusableOperations';
  readonly reason: Reason = 'malformed';

  constructor(rejected: number, read: number) {
    super(
      `${rejected} of ${rejected + read} operations cannot be used: check that base_url is that of an API of version 2`,
    );
  }
}
