import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readKnownFlakes } from './known-flake.ts';
import { type FailedTest, runVitest, wholeFile } from './report.ts';
import { judge } from './verdict.ts';

/** More failed tests than these are no flakes, and are not run again. */
const mostRunAgain = 20;

// What follows `--` goes to vitest.
const { values: flags, positionals } = parseArgs({
  options: {
    config: { type: 'string' },
    'known-flakes': { type: 'string', default: 'test/gate/known-flakes.yaml' },
    today: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
  allowPositionals: true,
});
const { config, today } = flags;
if (config === undefined) throw new Error('--config takes a configuration of vitest');
process.exitCode = await runGate(config);

/** Runs tests, and those that failed once more. @returns the exit code. */
async function runGate(config: string): Promise<number> {
  const list = flags['known-flakes'];
  const { flakes, faults } = readKnownFlakes(readFileSync(list, 'utf8'), today, existsSync);
  if (faults.length > 0) {
    process.stdout.write(
      `${faults.map(fault => `${list}: ${fault}\n`).join('')}0 passed, 1 failed, 0 skipped\n`,
    );
    return 1;
  }
  const run = await runVitest(['--config', config, ...positionals]);
  const again = new Map(run.report.failed.map(each => [`${each.file} > ${each.test}`, each]));
  const passedAlone: FailedTest[] = [];
  let { interruption } = run;
  for (const [name, failed] of again.size > mostRunAgain ? [] : again) {
    if (interruption !== undefined) break;
    process.stdout.write(`\nonce more, alone: ${name}\n`);
    const alone = await runAlone(config, failed);
    if (alone.code === 0 && alone.report.passed > 0) passedAlone.push(failed);
    interruption = alone.interruption;
  }
  const { isGood, text } = judge(run.report, passedAlone, flakes, today);
  process.stdout.write(text);
  return interruption ?? (isGood ? 0 : 1);
}

function runAlone(config: string, { file, test }: FailedTest): ReturnType<typeof runVitest> {
  const name = test === wholeFile ? [] : ['--testNamePattern', `^${RegExp.escape(test)}$`];
  return runVitest(['--config', config, '--maxWorkers=1', ...name, resolve(file)]);
}
