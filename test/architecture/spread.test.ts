import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sources = globSync('src/**/*.ts', { cwd: new URL('../..', import.meta.url).pathname });

test('the extreme of a list is not looked for among arguments, of which there can be too many', () => {
  const spreading = sources.filter(path =>
    /Math\.(?:min|max)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\.\.\./.test(
      readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
    ),
  );
  expect(spreading).toEqual([]);
});
