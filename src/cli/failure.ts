import type { Problem } from '../config/problem.ts';
import type { ExitCode } from './io.ts';

/** Ends a command with one sentence on stderr and an exit code. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ends a command with the problems of its configuration on stderr, a line each, and exit code 2. */
export class ConfigFailure extends Error {
  override readonly name = 'ConfigFailure';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super('the configuration has problems');
    this.problems = problems;
  }
}
