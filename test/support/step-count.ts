import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';
import { vi } from 'vitest';

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/**
 * How often the block of `src` ran that ran most often: loops and recursion show in it, the same on every machine. The engine
 * counts as it does for coverage, in code that is compiled meanwhile.
 *
 * @param load imports the module that is looked at.
 */
export async function countSteps<Module>(
  load: () => Promise<Module>,
  run: (module: Module) => void,
): Promise<number> {
  const session = new Session();
  session.connect();
  let coverage: Coverage = { result: [] };
  try {
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    // What was compiled before counts nothing.
    setFlagsFromString('--no-compilation-cache');
    vi.resetModules();
    run(await load());
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error;
      coverage = taken;
    });
  } finally {
    setFlagsFromString('--compilation-cache');
    session.disconnect();
  }
  const counts = coverage.result
    .filter(({ url }) => url.includes('/src/'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)));
  return counts.reduce((most, count) => Math.max(most, count), 0);
}
