import type { DecimalText } from '../../resources/price-book.ts';
import type { Figure, Page } from './block.ts';

/** What one group used and costs in a period, in words and numbers that are ready to be shown, as `/api/v1` has it. */
export interface ShowbackPage {
  /** Such as `team/platform`. */
  readonly group: string;
  /** What it comes to, with its share of charges; those of all groups add up. */
  readonly cost: DecimalText;
  readonly used_hours: DecimalText;
  /** Null where nothing is known of the period before. */
  readonly cost_before: DecimalText | null;
  /** Whether all of the period before is known. */
  readonly is_before_whole: boolean;
  /** The cost of its use without charges, and that of the period before, until the same time where this one goes on. */
  readonly use_cost: DecimalText;
  readonly use_cost_before: DecimalText | null;
  readonly figures: Figure[];
  /** What it pays for. */
  readonly parts: { readonly what: string; readonly cost: string }[];
  readonly total: string;
  readonly projects: ProjectPart[];
  /** Titles of columns of projects. */
  readonly cost_title: string;
  readonly before_title: string;
  readonly findings: FindingPart[];
  readonly missing: string[];
  readonly notes: string[];
}

export interface ProjectPart {
  /** Both null for the row of all others. */
  readonly account: string | null;
  readonly project_id: string | null;
  readonly name: string;
  readonly hours: string;
  readonly cost: string;
  readonly before: string;
  readonly change: string;
  /** Of the cost of the dearest project, 0 to 1. */
  readonly size?: number;
}

export interface FindingPart {
  readonly project: string;
  /** Null where it is about the project as a whole. */
  readonly endpoint: string | null;
  readonly saves: string;
  readonly evidence: string;
  readonly advice: string;
}

/** A page of a group as all faces have it. */
export function layOut(page: ShowbackPage, lead: string): Page {
  const { group, figures, parts, total, projects, cost_title, before_title, findings } = page;
  return {
    ...{ title: group, lead },
    blocks: [
      { kind: 'figures', figures },
      {
        ...{ kind: 'table', title: 'What it is made of', whenEmpty: 'Nothing.' },
        columns: [
          { title: 'what', kind: 'text' },
          { title: 'cost', kind: 'money' },
        ],
        rows: parts.map(({ what, cost }) => ({ cells: [what, cost] })),
        totals: ['total', total],
      },
      {
        ...{ kind: 'table', title: 'Projects', whenEmpty: 'No project of the group used compute.' },
        columns: [
          { title: 'project', kind: 'text' },
          { title: 'compute hours', kind: 'number' },
          { title: cost_title.toLowerCase(), kind: 'money' },
          { title: before_title.toLowerCase(), kind: 'money' },
          { title: 'change', kind: 'money' },
        ],
        rows: projects.map(({ account, project_id, name, hours, cost, before, change, size }) => ({
          cells: [name, hours, cost, before, change],
          ...(account !== null && project_id !== null && { project: { account, project_id } }),
          ...(size !== undefined && { size }),
        })),
      },
      {
        ...{ kind: 'items', title: 'What could be saved', whenEmpty: 'Nothing was found.' },
        items: findings.map(({ project, endpoint, saves, evidence, advice }) => ({
          ...{ name: project, id: endpoint ?? undefined, value: saves, sentences: [evidence, advice] },
        })),
      },
      { kind: 'list', title: 'What is missing', sentences: page.missing, isWarning: true },
      { kind: 'list', title: 'Notes', sentences: page.notes },
    ],
  };
}
