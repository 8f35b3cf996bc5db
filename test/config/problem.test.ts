import { expect, test } from 'vitest';
import { renderProblem } from '../../src/config/problem.ts';

test('a problem is one line that can be shown, whatever characters the names in it have', () => {
  const place = { where: 'dbpm.yaml:5', key: 'pricing.plans[0].match.groups[0]' };
  const line = renderProblem({ ...place, found: '"team/shop"', expected: 'write tea\0m/sh\nop' });
  expect(line).toBe(
    'dbpm.yaml:5: pricing.plans[0].match.groups[0]: found "team/shop", write tea\\u0000m/sh\\u000aop',
  );
});
