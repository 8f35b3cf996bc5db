import { computeHourMs, type UsageLedger, type UsageProject } from '../../src/resources/usage/ledger.ts';

/** Compute hours used evenly from one instant to another, written as ISO instants. */
export type UsageStep = readonly [from: string, until: string, computeHours: number];

export interface ScriptedProject extends Partial<UsageProject> {
  readonly steps: readonly UsageStep[];
}

export interface LedgerSpan {
  readonly knownFrom?: string;
  readonly knownUntil?: string;
}

interface Step {
  readonly fromAt: number;
  readonly untilAt: number;
  readonly cuMs: number;
}

/** A ledger of what projects used, numbered from 1, of the account `acme` unless they say otherwise. */
export function ledgerOf(projects: readonly ScriptedProject[], span: LedgerSpan = {}): UsageLedger {
  const known = projects.map(({ steps, ...project }, index) => ({
    steps: steps.map(([from, until, computeHours]) => ({
      fromAt: Date.parse(from),
      untilAt: Date.parse(until),
      cuMs: Math.round(computeHours * computeHourMs),
    })),
    project: {
      project_ref: index + 1,
      account: 'acme',
      project_id: `project-${index + 1}`,
      ...project,
    } satisfies UsageProject,
  }));
  const stepsOf = new Map(known.map(({ project, steps }) => [project.project_ref, steps]));
  return {
    projects: known.map(({ project }) => project),
    knownFrom: () => Date.parse(span.knownFrom ?? '2020-01-01'),
    knownUntil: () => Date.parse(span.knownUntil ?? '2100-01-01'),
    usedUntil: (project_ref, at) =>
      (stepsOf.get(project_ref) ?? []).reduce((sum, step) => sum + usedOf(step, at), 0),
  };
}

function usedOf({ fromAt, untilAt, cuMs }: Step, at: number): number {
  if (at >= untilAt) return cuMs;
  if (at <= fromAt) return 0;
  return Math.min(cuMs, Math.floor((cuMs * (at - fromAt)) / (untilAt - fromAt)));
}
