import type { WholeAccountView } from '../resources/account.ts';
import type { Family, FamilyGroup } from '../resources/family.ts';
import { type Format, renderHeader, renderHistogram, renderLabels, renderSample } from './exposition.ts';

/** All API metrics of one moment, in both formats, without an end mark: self-metrics follow. */
export type Page = Readonly<Record<Format, string>>;

interface Subject {
  readonly item: unknown;
  readonly labels: string;
}

/** Renders groups of families over the views of all accounts; a family's samples stand together. */
export function renderPage(
  groups: readonly FamilyGroup<WholeAccountView, unknown>[],
  views: readonly WholeAccountView[],
): Page {
  const parts: Record<Format, string[]> = { text: [], openmetrics: [] };
  for (const group of groups) {
    const subjects = findSubjects(group, views);
    for (const family of Object.values(group.families)) {
      const samples = renderSamples(family, group.labels.length, subjects);
      for (const format of ['text', 'openmetrics'] as const) {
        parts[format].push(renderHeader(family, format), samples);
      }
    }
  }
  return { text: parts.text.join(''), openmetrics: parts.openmetrics.join('') };
}

function findSubjects(
  group: FamilyGroup<WholeAccountView, unknown>,
  views: readonly WholeAccountView[],
): readonly Subject[] {
  const subjects: Subject[] = [];
  for (const view of views) {
    for (const item of group.subjects(view)) {
      subjects.push({ item, labels: renderLabels(group.labels, group.labelValues(item)) });
    }
  }
  return subjects;
}

function renderSamples(family: Family<unknown>, scopeLabels: number, subjects: readonly Subject[]): string {
  const ownLabels = family.labels.slice(scopeLabels);
  const lines: string[] = [];
  for (const { item, labels } of subjects) {
    const join = (values: readonly string[]) =>
      ownLabels.length === 0 ? labels : `${labels},${renderLabels(ownLabels, values)}`;
    if (family.type === 'histogram') {
      family.sample(item, (value, ...own) => {
        if (value) lines.push(renderHistogram(family.name, join(own), family.buckets, value));
      });
    } else {
      family.sample(item, (value, ...own) => {
        if (value !== undefined) lines.push(renderSample(family.name, join(own), value));
      });
    }
  }
  return lines.join('');
}
