import { expect, test } from 'vitest';
import { readGeneratedFiles } from '../support/generated-files.ts';

test.each(readGeneratedFiles())('$path is what "npm run generate" writes', ({ current, wanted }) => {
  expect(current).toBe(wanted);
});
