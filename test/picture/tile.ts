import { type Sample, sampleValue } from '../support/exposition-reader.ts';
import type { PictureData } from './picture-data.ts';
import { element, label } from './svg.ts';

interface Tile {
  readonly metric: string;
  readonly figure: string;
  readonly text: string;
  /** Class of the figure: how good or bad it is. */
  readonly tone: 'calm' | 'warn' | 'bad';
}

const daySeconds = 86_400;

/** A row of figures: the fleet, its failures, its keys, its budget and what it could save. */
export function drawTiles(
  data: PictureData,
  box: { readonly x: number; readonly y: number; readonly width: number },
): string {
  const tiles = readTiles(data);
  const gap = 14;
  const width = (box.width - gap * (tiles.length - 1)) / tiles.length;
  return tiles
    .map(({ metric, figure, text, tone }, index) => {
      const x = box.x + index * (width + gap);
      return element(
        'g',
        { 'data-metric': metric },
        element('rect', { x, y: box.y, width, height: 72, rx: 8, class: 'panel' }),
        label(x + 16, box.y + 36, figure, { class: `figure ${tone}` }),
        label(x + 16, box.y + 58, text, { class: 'muted' }),
      );
    })
    .join('\n');
}

function readTiles({ samples, at }: PictureData): readonly Tile[] {
  const valuesOf = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    samples
      .filter(
        sample =>
          sample.name === name &&
          Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      )
      .map(({ value }) => value);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const awake = sum(valuesOf('dbpm_endpoint_state', { state: 'active' }));
  const endpoints = valuesOf('dbpm_endpoint_info').length;
  const isRecent = ({ name, value }: Sample) =>
    name === 'dbpm_operation_last_failure_timestamp_seconds' && value > at / 1000 - daySeconds;
  const recent = new Set(samples.filter(isRecent).map(({ labels }) => labels.project_id)).size;
  const stale = valuesOf('dbpm_api_key_stale');
  const used = sampleValue(samples, 'dbpm_budget_used_ratio', { budget: 'everything' }) ?? Number.NaN;
  const saving = sum(valuesOf('dbpm_account_findings_cost_per_month'));
  return [
    {
      metric: 'dbpm_endpoint_state',
      figure: `${awake} of ${endpoints}`,
      text: 'endpoints awake now',
      tone: 'calm',
    },
    {
      metric: 'dbpm_operation_last_failure_timestamp_seconds',
      figure: String(recent),
      text: recent === 1 ? 'project with a new failure' : 'projects with new failures',
      tone: recent === 0 ? 'calm' : 'bad',
    },
    {
      metric: 'dbpm_api_key_stale',
      figure: `${sum(stale)} of ${stale.length}`,
      text: 'API keys nobody uses',
      tone: 'warn',
    },
    {
      metric: 'dbpm_budget_used_ratio',
      figure: `${Math.round(100 * used)} %`,
      text: 'of the budget spent',
      tone: 'bad',
    },
    {
      metric: 'dbpm_account_findings_cost_per_month',
      figure: `$${Math.round(saving)}`,
      text: 'a month could be saved',
      tone: 'warn',
    },
  ];
}
