import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiKeyList } from '../../src/resources/api-key.ts';
import { endpointList } from '../../src/resources/endpoint.ts';
import { operationList } from '../../src/resources/operation.ts';
import { projectList } from '../../src/resources/project.ts';

const lists = [projectList, endpointList, operationList, apiKeyList];

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', 'a\udc00', '"\\\n', '🐘', '', '\u0000', 'x'.repeat(10_000)),
);
const hostileValue = fc.oneof(
  fc.anything(),
  hostileText,
  fc.double(),
  fc.constantFrom(
    -1,
    -0,
    2 ** 53,
    2 ** 63,
    1e308,
    Number.NaN,
    '0001-01-01T00:00:00Z',
    '1969-12-31T00:00:00Z',
  ),
);
const fieldNames = [
  ...['id', 'name', 'action', 'status', 'cpu_used_sec', 'failures_count', 'locked', 'current_state', 'key'],
  ...['created_at', 'updated_at', 'last_used_at', 'last_active', 'last_used_from_addr', '__proto__'],
];
const hostileItem = fc.oneof(
  hostileValue,
  fc.dictionary(fc.constantFrom(...fieldNames), hostileValue),
  fc.record({ id: hostileText, action: hostileText, status: hostileText, name: hostileText }),
);

test('no item whatsoever makes a decoder throw or give a value that cannot be stored and shown', () => {
  fc.assert(
    fc.property(hostileItem, item => {
      for (const list of lists) {
        const decoded: object | undefined = list.decode(item);
        for (const value of Object.values(decoded ?? {})) expect(isWellFormed(value)).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});

test('whatever carries an id is identified by it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), id => {
      expect(projectList.identify(decoded(projectList.decode({ id })))).toBe(id);
      expect(endpointList.identify(decoded(endpointList.decode({ id })))).toBe(id);
      expect(apiKeyList.identify(decoded(apiKeyList.decode({ id })))).toBe(id);
      const operation = { id, action: 'a', status: 's' };
      expect(operationList.identify(decoded(operationList.decode(operation)))).toBe(id);
    }),
  );
});

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

function decoded<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new Error('the item was rejected');
  return item;
}
