import type { Problem } from './problem.ts';

/** A configuration that cannot be used, with every problem that was found in it. */
export class ConfigFailure extends Error {
  override readonly name = 'ConfigFailure';
  readonly problems: readonly Problem[];

  /** @param problems in the order a person mends them, at least one. */
  constructor(problems: readonly Problem[]) {
    super('the configuration has problems');
    this.problems = problems;
  }
}
