import { describe, expect, test } from 'vitest';
import { checkBaseUrl } from '../../src/api/message/base-url.ts';

describe('a base address', () => {
  test.each([
    ['https://api.example.com/api/v2/', 'https://api.example.com/api/v2/'],
    ['https://api.example.com/api/v2', 'https://api.example.com/api/v2/'],
    ['https://api.example.com', 'https://api.example.com/'],
    ['https://gateway.example.com/a/b%20c/api/v2', 'https://gateway.example.com/a/b%20c/api/v2/'],
    ['http://localhost:8080/api/v2', 'http://localhost:8080/api/v2/'],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:1/'],
    ['http://127.9.8.7/', 'http://127.9.8.7/'],
    ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ])('%s is read as %s', (text, expected) => {
    expect(String(checkBaseUrl(text))).toBe(expected);
  });

  test.each([
    ['', 'is not an address; write one such as https://api.example.com/api/v2/'],
    ['api.example.com/api/v2', 'is not an address; write one such as https://api.example.com/api/v2/'],
    ['ftp://api.example.com/', 'must start with https://, such as https://api.example.com/api/v2/'],
    [
      'https://user@api.example.com/',
      'must not carry a user name or password; the API key has a setting of its own',
    ],
    [
      'https://:pw@api.example.com/',
      'must not carry a user name or password; the API key has a setting of its own',
    ],
    [
      'https://api.example.com/api/v2/?',
      'must not carry a query or a fragment; end it after the path, such as https://api.example.com/api/v2/',
    ],
    [
      'https://api.example.com/#a',
      'must not carry a query or a fragment; end it after the path, such as https://api.example.com/api/v2/',
    ],
  ])('%s is refused', (text, expected) => {
    expect(checkBaseUrl(text)).toBe(expected);
  });

  test.each([
    'http://api.example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://128.0.0.1/',
    'http://0.0.0.0/',
    'http://[::2]/',
  ])('%s is refused because the key would travel readable', text => {
    expect(checkBaseUrl(text)).toBe(
      'must start with https://, because over http:// the API key travels readable; http:// is for loopback addresses only',
    );
  });
});
