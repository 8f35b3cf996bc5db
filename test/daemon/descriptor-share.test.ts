import { describe, expect, it } from 'vitest';
import { readDescriptorLimit, shareDescriptors } from '../../src/daemon/descriptor-share.ts';

describe('descriptors', () => {
  it.each([
    ['few', 64, 1, { connections: 8, serviceConnections: 8 }],
    ['the usual number', 1024, 1, { connections: 488, serviceConnections: 488 }],
    ['many', 65_536, 200, { connections: 512, serviceConnections: 64_976 }],
    ['no limit', undefined, 1, { connections: 512, serviceConnections: Number.POSITIVE_INFINITY }],
  ])('are shared out where there are %s', (_, limit, accounts, share) => {
    expect(shareDescriptors(limit, accounts)).toEqual(share);
  });

  it('are refused in one sentence where they are too few for the accounts', () => {
    expect(shareDescriptors(56, 1)).toEqual({ connections: 4, serviceConnections: 4 });
    expect(() => shareDescriptors(55, 1)).toThrow(
      'this process may have 55 files and connections open, and needs 56 at least: raise the limit ' +
        '(ulimit -n in a shell, LimitNOFILE in a unit of systemd, --ulimit nofile in a container)',
    );
    expect(() => shareDescriptors(64, 20)).toThrow('needs 88 at least');
  });

  it.runIf(process.platform === 'linux')('have the limit that the system tells', () => {
    expect(readDescriptorLimit()).toBeGreaterThan(63);
  });
});
