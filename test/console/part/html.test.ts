import { expect, test } from 'vitest';
import { html } from '../../../src/console/part/html.ts';

test('an element is made each time, as one that was drawn refers to all of the page it was on', () => {
  const draw = () => html`<hr />`;
  expect(draw()).not.toBe(draw());
});
