import { execFileSync } from 'node:child_process';

/**
 * Seconds since 1970 that everything in a package is dated with: `SOURCE_DATE_EPOCH`, or when the commit was made.
 *
 * @throws Error outside of a repository without the variable.
 */
export function readSourceDate(root: string, env: NodeJS.ProcessEnv): number {
  const given = env.SOURCE_DATE_EPOCH ?? git(root, 'log', '-1', '--format=%ct');
  if (!/^\d+$/.test(given ?? '')) throw new Error('no commit to take the date from: set SOURCE_DATE_EPOCH');
  return Number(given);
}

/** The commit, in short; empty outside of a repository. */
export function readRevision(root: string): string {
  return git(root, 'rev-parse', '--short=12', 'HEAD') ?? '';
}

function git(root: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', root, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
