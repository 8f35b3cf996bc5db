import type { Registry } from 'prom-client';
import type { SelfFamily } from './self-family.ts';

/** A declared family as prom-client wants it. */
export function metricOptions({ name, help, labels }: SelfFamily, registry: Registry) {
  return { name, help, labelNames: [...labels], registers: [registry] };
}
