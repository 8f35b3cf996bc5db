import { catalog } from '../resources/catalog.ts';
import { selfFamilies } from './self/self-family.ts';

/** Labels that say what a metric is of; all others say which of its values it is. */
const idLabels = ['account', 'project_id', 'endpoint_id', 'key_id', 'grouping', 'group', 'budget'];

/**
 * Every metric as a line of Markdown below what it is of, from the declarations the page is rendered from. That most of
 * them are polled is said once in the document.
 */
export function renderMetricTable(): string {
  const families = [
    ...catalog.flatMap(group => Object.values(group.families)),
    ...Object.values(selfFamilies),
  ];
  const byIds = Map.groupBy(families, ({ labels }) => nameLabels(labels.filter(isId)));
  return [...byIds]
    .flatMap(([ids, alike]) => [
      `**${ids === '' ? 'Of the exporter' : `By ${ids}`}**`,
      '',
      ...alike.map(({ name, type, labels, help }) => {
        const others = labels.filter(label => !isId(label));
        const by = others.length === 0 ? '' : ` by ${nameLabels(others)}`;
        const text = help.replace(/ \(polled\)\.$/, '.');
        return `- \`${name}\`${by}${type === 'histogram' ? ' (histogram)' : ''}: ${text}`;
      }),
      '',
    ])
    .join('\n');
}

function isId(label: string): boolean {
  return idLabels.includes(label);
}

function nameLabels(labels: readonly string[]): string {
  return labels.map(label => `\`${label}\``).join(', ');
}
