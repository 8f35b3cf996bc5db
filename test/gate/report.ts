import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Stands for the name of a test where a file cannot be loaded, or a hook of it fails. */
export const wholeFile = '(whole file)';

export interface FailedTest {
  /** Below the root of the repository. */
  readonly file: string;
  /** Its full name, with those of the suites around it. */
  readonly test: string;
}

/** What a run of vitest came to. */
export interface Report {
  readonly passed: number;
  readonly failed: readonly FailedTest[];
  readonly skipped: number;
  /** Errors that no test caught. */
  readonly errors: number;
  /** Why tests were skipped, each reason once. */
  readonly reasons: readonly string[];
}

/** How a child process ended. */
interface Ended {
  readonly code: number;
  /** The exit code of this process, where it was told to end meanwhile. */
  readonly interruption: number | undefined;
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const nothing: Report = { passed: 0, failed: [], skipped: 0, errors: 0, reasons: [] };
const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname;
const reporter = new URL('reporter.ts', import.meta.url).pathname;

/**
 * Runs a script of Node to its end, with the output of this process. Signals that end this process are passed on to it
 * and to all that it started: tests that are ended leave no daemon behind.
 */
export async function runScript(arguments_: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(process.execPath, arguments_, {
    ...{ stdio: 'inherit', env: { ...process.env, ...env } },
    // A process group of its own, which a terminal does not reach besides.
    detached: true,
  });
  const told: number[] = [];
  const passOn = (signal: NodeJS.Signals) => {
    told.push(128 + constants.signals[signal]);
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  };
  for (const signal of endings) process.on(signal, passOn);
  await once(child, 'exit');
  for (const signal of endings) process.off(signal, passOn);
  // A child that was killed has no exit code.
  return { code: child.exitCode ?? 1, interruption: told[0] };
}

/** Runs vitest once. A run that ends with a failure it does not name, or that says nothing, counts as one error. */
export async function runVitest(
  arguments_: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended & { readonly report: Report }> {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-gate-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', `--reporter=${reporter}`];
  try {
    const ended = await runScript([vitest, 'run', ...reporters, ...arguments_], {
      ...env,
      GATE_REPORT: file,
    });
    const isReported = existsSync(file);
    const report: Report = isReported ? JSON.parse(readFileSync(file, 'utf8')) : nothing;
    const isUnnamed = ended.code !== 0 && report.failed.length + report.errors === 0;
    return { ...ended, report: isUnnamed || !isReported ? { ...report, errors: 1 } : report };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
