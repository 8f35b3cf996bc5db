import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface SourceFile {
  /** From `src/` on: `api/client.ts`. */
  readonly path: string;
  /** First folder below `src`; empty for what lies directly in it. */
  readonly folder: string;
  readonly text: string;
  /** Own files it imports, type imports too. */
  readonly imports: readonly string[];
  /** Own files it needs when it runs. */
  readonly needs: readonly string[];
  /** npm packages and `node:` modules it imports. */
  readonly packages: readonly string[];
}

const root = new URL('../../src/', import.meta.url).pathname;
const importPattern =
  /(?:^|\n)(?:import|export)\s([^;]*?)\sfrom '([^']+)'|import\('([^']+)'\)|\nimport '([^']+)'/g;

/** Every source file with what it imports, as text: nothing is loaded. */
export function readSources(): readonly SourceFile[] {
  return globSync('**/*.{ts,cjs}', { cwd: root })
    .sort()
    .map(path => readSource(path));
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const found = [...text.matchAll(importPattern)].map(([, clause = '', from, dynamic, bare]) => ({
    isType: clause.startsWith('type '),
    isDynamic: dynamic !== undefined,
    target: from ?? dynamic ?? bare ?? '',
  }));
  const own = found.filter(({ target }) => target.startsWith('.'));
  const resolve = ({ target }: { target: string }) => normalize(join(dirname(path), target));
  return {
    path,
    folder: path.includes('/') ? (path.split('/')[0] ?? '') : '',
    text,
    imports: own.map(resolve),
    needs: own.filter(({ isType, isDynamic }) => !isType && !isDynamic).map(resolve),
    packages: found.map(({ target }) => target).filter(target => !target.startsWith('.')),
  };
}

/** Files that need or import each other in a circle, the first circle found; empty when there is none. */
export function findCircle(
  sources: readonly SourceFile[],
  follow: 'imports' | 'needs' = 'needs',
): readonly string[] {
  const needs = new Map(sources.map(source => [source.path, source[follow]]));
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const next of needs.get(path) ?? []) {
      const circle = visit(next, [...trail, path]);
      if (circle.length > 0) return circle;
    }
    done.add(path);
    return [];
  };
  for (const { path } of sources) {
    const circle = visit(path, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
