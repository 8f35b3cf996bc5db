import { catalog } from '../resources/catalog.ts';
import { selfFamilies } from './self/self-family.ts';

/** Every metric as a line of Markdown below its labels, from the declarations the page is rendered from. */
export function renderMetricTable(): string {
  const families = [
    ...catalog.flatMap(group => Object.values(group.families)),
    ...Object.values(selfFamilies),
  ];
  const byLabels = Map.groupBy(families, ({ labels }) => labels.map(label => `\`${label}\``).join(', '));
  return [...byLabels]
    .flatMap(([labels, alike]) => [
      `**${labels === '' ? 'Without labels' : `By ${labels}`}**`,
      '',
      ...alike.map(
        ({ name, type, help }) => `- \`${name}\`${type === 'histogram' ? ' (histogram)' : ''}: ${help}`,
      ),
      '',
    ])
    .join('\n');
}
