import { compare, getRounds, hashSync } from 'bcrypt';
import { describe, expect, it, vi } from 'vitest';
import { LoginCheck, readBasicLogin } from '../../src/http/login.ts';

const users = new Map([
  ['alice', hashSync('open:sesame', 5).replace('$2b', '$2y')],
  ['bob', hashSync('', 4)],
]);
const here = '127.0.0.1';
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('a login', () => {
  it.each([
    ['alice', 'open:sesame', 'ok'],
    ['alice', 'open', 'wrong'],
    ['alice', '', 'wrong'],
    ['Alice', 'open:sesame', 'wrong'],
    ['mallory', 'open:sesame', 'wrong'],
    ['', '', 'wrong'],
    ['bob', '', 'ok'],
    ['__proto__', 'x', 'wrong'],
  ])('of %s with "%s" is %s', async (user, password, outcome) => {
    const check = new LoginCheck();
    expect(await check.check(users, basic(user, password), here)).toBe(outcome);
    expect(await check.check(users, basic(user, password), here)).toBe(outcome);
  });

  it('of no user is not let in by the hash that stands in for theirs', async () => {
    expect(await new LoginCheck().check(users, basic('mallory', 'fakepassword'), here)).toBe('wrong');
  });

  it('takes as many rounds for each wrong password, whatever the hash of the user costs, and for nobody', async () => {
    const matches = vi.fn((password: string, hash: string) => compare(password, hash));
    const check = new LoginCheck(matches);
    const costly = new Map([...users, ['carol', hashSync('shut', 8)]]);
    for (const user of ['alice', 'bob', 'carol', 'mallory']) {
      matches.mockClear();
      expect(await check.check(costly, basic(user, 'none of theirs'), here)).toBe('wrong');
      const rounds = matches.mock.calls.map(([, hash]) => 2 ** getRounds(hash));
      expect([user, rounds.reduce((sum, each) => sum + each, 0)]).toEqual([user, 2 ** 8]);
    }
  });

  it('that was right or wrong is not compared again, until its hash changes', async () => {
    const matches = vi.fn(async (password: string) => password === 'open');
    const check = new LoginCheck(matches);
    const alice = (hash: string, password: string) =>
      check.check(new Map([['alice', hash]]), basic('alice', password), here);
    for (const _ of [1, 2, 3]) expect(await alice('$2b$04$one', 'open')).toBe('ok');
    for (const _ of [1, 2, 3]) expect(await alice('$2b$04$one', 'ajar')).toBe('wrong');
    expect(matches).toHaveBeenCalledTimes(2);
    matches.mockResolvedValue(false);
    expect(await alice('$2b$04$two', 'open')).toBe('wrong');
    expect(matches).toHaveBeenCalledTimes(3);
  });

  it('that is right does not wait for those who were let in before', async () => {
    const check = new LoginCheck();
    await check.check(users, basic('alice', 'open:sesame'), here);
    const guesses = Array.from({ length: 10 }, (_, index) =>
      check.check(users, basic('alice', `${index}`), here),
    );
    expect(await check.check(users, basic('alice', 'open:sesame'), here)).toBe('ok');
    await Promise.all(guesses);
  });

  it('that is right waits a turn for each attacker at most, and none is refused beside forty of them', async () => {
    const matches = vi.fn(async (password: string) => password === 'right');
    const check = new LoginCheck(matches);
    const people = new Map(
      Array.from({ length: 21 }, (_, index) => [`user-${index}`, '$2b$04$hash'] as const),
    );
    const guess = (attacker: number, index: number) =>
      check.check(people, basic('user-0', `${attacker} ${index}`), `192.0.2.${attacker}`);
    const guesses = Array.from({ length: 400 }, (_, index) => guess(index % 40, index));
    const logins = [...people.keys()].map((user, index) =>
      check.check(people, basic(user, 'right'), `198.51.100.${index}`),
    );
    expect(new Set(await Promise.all(logins))).toEqual(new Set(['ok']));
    // One was being checked when they came.
    expect(matches.mock.calls.findLastIndex(([password]) => password === 'right')).toBe(1 + 40 + 20);
    expect(new Set(await Promise.all(guesses))).toEqual(new Set(['wrong', 'too_many']));
  });

  it('that is right comes after the second wrong one of an attacker with as many addresses as a network of IPv6 has', async () => {
    const matches = vi.fn(async (password: string) => password === 'open:sesame');
    const check = new LoginCheck(matches);
    const guesses = Array.from({ length: 200 }, (_, index) =>
      check.check(users, basic('alice', `${index}`), `2001:db8::${index.toString(16)}:1`),
    );
    expect(await check.check(users, basic('alice', 'open:sesame'), '2001:db8:0:1::1')).toBe('ok');
    expect(matches.mock.calls.findIndex(([password]) => password === 'open:sesame')).toBe(2);
    await Promise.all(guesses);
  });

  it('that is wrong in many ways pushes out nobody', async () => {
    const matches = vi.fn(async (password: string) => password === 'open');
    const check = new LoginCheck(matches);
    for (const password of ['open', ...Array.from({ length: 600 }, (_, index) => `${index}`), 'open'])
      await check.check(users, basic('alice', password), here);
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
