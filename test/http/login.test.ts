import { hashSync } from 'bcrypt';
import { describe, expect, it } from 'vitest';
import { LoginCheck, readBasicLogin } from '../../src/http/login.ts';

const users = new Map([
  ['alice', hashSync('open:sesame', 8).replace('$2b', '$2y')],
  ['bob', hashSync('', 4)],
]);
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('a login', () => {
  it.each([
    ['alice', 'open:sesame', 'known'],
    ['alice', 'open', 'unknown'],
    ['alice', '', 'unknown'],
    ['Alice', 'open:sesame', 'unknown'],
    ['mallory', 'open:sesame', 'unknown'],
    ['', '', 'unknown'],
    ['bob', '', 'known'],
    ['__proto__', 'x', 'unknown'],
  ])('of %s with "%s" is %s', async (user, password, outcome) => {
    const check = new LoginCheck();
    expect(await check.check(users, basic(user, password))).toBe(outcome);
    expect(await check.check(users, basic(user, password))).toBe(outcome);
  });

  it('of no user is not let in by the hash that stands in for theirs', async () => {
    expect(await new LoginCheck().check(users, basic('mallory', 'fakepassword'))).toBe('unknown');
  });

  it('takes as long for an unknown user as for a wrong password', async () => {
    const check = new LoginCheck();
    const known = new Map([['alice', users.get('alice') ?? '']]);
    const time = async (user: string, password: string) => {
      const startedAt = performance.now();
      await check.check(known, basic(user, password));
      return performance.now() - startedAt;
    };
    // Whatever else the machine does only adds to it, and to both: the shortest of many is what it takes.
    const shortest = { alice: Number.POSITIVE_INFINITY, mallory: Number.POSITIVE_INFINITY };
    for (let index = 0; index < 15; index += 1) {
      for (const user of ['alice', 'mallory'] as const)
        shortest[user] = Math.min(shortest[user], await time(user, `wrong ${index}`));
    }
    const ratio = shortest.alice / shortest.mallory;
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it('that was right is not checked again, until its hash changes', async () => {
    const slow = new Map([['alice', hashSync('open', 11)]]);
    const check = new LoginCheck();
    await check.check(slow, basic('alice', 'open'));
    const startedAt = performance.now();
    for (let index = 0; index < 1000; index += 1) await check.check(slow, basic('alice', 'open'));
    // To check a thousand of them takes minutes.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await check.check(new Map([['alice', hashSync('other', 4)]]), basic('alice', 'open'))).toBe(
      'unknown',
    );
  });

  it('keeps no more than some dozens waiting, and those who were let in do not wait', async () => {
    const check = new LoginCheck();
    await check.check(users, basic('alice', 'open:sesame'));
    const guesses = Array.from({ length: 100 }, (_, index) => check.check(users, basic('alice', `${index}`)));
    expect(await check.check(users, basic('alice', 'open:sesame'))).toBe('known');
    const outcomes = Object.groupBy(await Promise.all(guesses), outcome => outcome);
    expect(outcomes.busy).toHaveLength(100 - 32);
    expect(outcomes.unknown).toHaveLength(32);
  });

  it('that is wrong in many ways pushes out nobody', async () => {
    const quick = new Map([['alice', hashSync('open', 4)]]);
    const check = new LoginCheck();
    await check.check(quick, basic('alice', 'open'));
    for (let index = 0; index < 600; index += 1) await check.check(quick, basic('alice', `${index}`));
    expect(await check.check(quick, basic('alice', 'open'))).toBe('known');
  }, 20_000);
});

describe('the header of a login', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['Bearer abc', undefined],
    ['Basic', undefined],
    ['Basic !!!', undefined],
    [`Basic ${Buffer.from('nobody').toString('base64')}`, undefined],
    ['basic YTpi', { user: 'a', password: 'b' }],
    ['Basic  YTpi ', { user: 'a', password: 'b' }],
    [`Basic ${Buffer.from('jürgen:pä:ss').toString('base64')}`, { user: 'jürgen', password: 'pä:ss' }],
  ])('%s', (header, login) => {
    expect(readBasicLogin(header)).toEqual(login);
  });
});
