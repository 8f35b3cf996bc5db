import { expect, test } from 'vitest';
import { describeAnswers } from '../../../src/check/account/account-line.ts';
import type { Answers } from '../../../src/check/account/answers.ts';

const day = 86_400_000;
const list = { watched: [], listed: 0, rejected: 0, unavailable: 0, pages: 0, pageSize: 0, isWhole: true };
const answers: Answers = {
  account: 'main',
  base_url: new URL('https://api.example.com/api/v2/'),
  collectors: ['projects'],
  projects: { value: list },
  requests: [{ isOk: true, durationMs: 5 }],
};

test.each([
  [15, 'ok', ''],
  [14, 'ok', ''],
  [13, 'warning', ', in 13d: who runs the service must renew it'],
])('a certificate that ends in %d days is %s', (days, status, warned) => {
  const certificate = { endsAt: Date.UTC(2026, 11, 1), leftMs: days * day };
  expect(describeAnswers({ ...answers, certificate }, undefined)[0]).toEqual({
    check: 'connection',
    status,
    says: `answers over TLS, with a certificate that is trusted and ends on 2026-12-01${warned}`,
  });
});
