import { compare, getRounds, hashSync } from 'bcrypt';
import { describe, expect, it, vi } from 'vitest';
import { LoginCheck, readBasicLogin } from '../../src/http/login.ts';

const users = new Map([
  ['alice', hashSync('open:sesame', 5).replace('$2b', '$2y')],
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

  it('takes as long for an unknown user as for a wrong password: one comparison of the same cost', async () => {
    const matches = vi.fn((password: string, hash: string) => compare(password, hash));
    const check = new LoginCheck(matches);
    const known = new Map([['alice', users.get('alice') ?? '']]);
    for (const user of ['alice', 'mallory']) await check.check(known, basic(user, 'wrong'));
    // Of users with several costs a stranger is taken for one with the highest.
    await check.check(users, basic('mallory', 'wrong, too'));
    expect(matches.mock.calls.map(([password, hash]) => [password, getRounds(hash)])).toEqual([
      ['wrong', 5],
      ['wrong', 5],
      ['wrong, too', 5],
    ]);
  });

  it('that was right or wrong is not compared again, until its hash changes', async () => {
    const matches = vi.fn(async (password: string) => password === 'open');
    const check = new LoginCheck(matches);
    const alice = (hash: string, password: string) =>
      check.check(new Map([['alice', hash]]), basic('alice', password));
    for (const _ of [1, 2, 3]) expect(await alice('$2b$04$one', 'open')).toBe('known');
    for (const _ of [1, 2, 3]) expect(await alice('$2b$04$one', 'ajar')).toBe('unknown');
    expect(matches).toHaveBeenCalledTimes(2);
    matches.mockResolvedValue(false);
    expect(await alice('$2b$04$two', 'open')).toBe('unknown');
    expect(matches).toHaveBeenCalledTimes(3);
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
    const matches = vi.fn(async (password: string) => password === 'open');
    const check = new LoginCheck(matches);
    for (const password of ['open', ...Array.from({ length: 600 }, (_, index) => `${index}`), 'open'])
      await check.check(users, basic('alice', password));
    expect(matches).toHaveBeenCalledTimes(601);
  });
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
