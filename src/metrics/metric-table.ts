import { catalog } from '../resources/catalog.ts';
import { selfFamilies } from './self/self-family.ts';

/** Every metric as a row of Markdown, from the declarations the page is rendered from. */
export function renderMetricTable(): string {
  const families = [
    ...catalog.flatMap(group => Object.values(group.families)),
    ...Object.values(selfFamilies),
  ];
  const rows = families.map(({ name, type, labels, help }) =>
    [`\`${name}\``, type, labels.join(', '), help].join(' | '),
  );
  return [
    '| metric | type | labels | meaning |',
    '|---|---|---|---|',
    ...rows.map(row => `| ${row} |`),
    '',
  ].join('\n');
}
