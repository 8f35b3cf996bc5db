import { expect, test } from 'vitest';
import { readSources, type SourceFile } from './import-graph.ts';

const byPath = new Map(readSources().map(source => [source.path, source]));

/** A file and all it needs before anything is done. */
function loadedWith(path: string, seen = new Set<SourceFile>()): ReadonlySet<SourceFile> {
  const source = byPath.get(path);
  if (source === undefined || seen.has(source)) return seen;
  seen.add(source);
  for (const needed of source.needs) loadedWith(needed, seen);
  return seen;
}

test('help and version load neither the schema library nor the parser of YAML', () => {
  const loaded = loadedWith('cli/command-list.ts', loadedWith('cli/command-line.ts') as Set<SourceFile>);
  expect([...loaded].map(({ path }) => path)).toContain('config/setting.ts');
  const slow = [...loaded].flatMap(({ path, packages }) =>
    packages.filter(name => ['valibot', 'yaml'].includes(name)).map(name => `${path} imports ${name}`),
  );
  expect(slow).toEqual([]);
});

test('no thread loads what another one is there for: each keeps all that it loads in memory of its own', () => {
  const foreign = {
    'console/worker.ts':
      /^(report\/(maker|finding|cost|why\/why|format\/rendering)|console\/api\/open-api|history\/usage\/usage-history|report\/usage-view\/calculator)\./,
    'daemon/usage-worker.ts':
      /^(history\/(merge\/|commit\/(commit|reading-commit))|report\/(?!usage-view\/)|console\/(page|report-cache\/report-maker))/,
    'console/report-cache/report-maker.ts':
      /^(history\/merge\/|report\/(written-report|format\/rendering)\.|console\/(part|condition)\/)/,
  };
  for (const [thread, others] of Object.entries(foreign)) {
    const loaded = [...loadedWith(thread)];
    const paths = loaded.map(({ path }) => path);
    expect(paths.length, thread).toBeGreaterThan(50);
    expect(
      paths.filter(path => others.test(path)),
      thread,
    ).toEqual([]);
    // It describes answers, which pages alone have.
    const describes = loaded.some(({ packages }) => packages.includes('valibot'));
    expect(describes, thread).toBe(thread === 'console/worker.ts');
  }
});
