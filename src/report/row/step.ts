import { cutIntoSteps, type Step } from '../../cost/calendar/step.ts';
import type { ReportSubject } from '../content.ts';
import { column, type TypedColumn } from '../format/report.ts';
import type { RowScope, ScopedRow, ScopeRule } from './scope.ts';

/** The columns that name the step of a row. */
export const stepColumns = [
  column('step', 'text', 'The day, week or month of the row.', ({ scope }) => scope.step ?? ''),
  {
    key: 'step_from',
    kind: 'instant',
    about: 'When the step began.',
    isForPrograms: true,
    of: row => row.scope.stepFromAt,
  },
  {
    key: 'step_until',
    kind: 'instant',
    about: 'The first instant after the step.',
    isForPrograms: true,
    of: row => row.scope.stepUntilAt,
  },
] satisfies readonly TypedColumn<ScopedRow>[];

/**
 * The subject of a report cut into those of its days, weeks or months, whose rows say which one they are of; the subject
 * itself where no step was asked for.
 */
export function cutSubject(subject: ReportSubject): readonly ReportSubject[] {
  const { request, rule, onProgress } = subject;
  const { step: unit, span, billedStretch } = request;
  if (unit === undefined) return [subject];
  const steps = cutIntoSteps(unit, { ...span, zone: span.timezone, billedStretch });
  return steps.map((step, index) => ({
    ...subject,
    request: {
      ...request,
      span: { ...span, fromAt: step.fromAt, untilAt: step.untilAt },
      billedStretch: step.billedStretch,
    },
    rule: { ...rule, ...scopesOf(rule, step) },
    onProgress: done => onProgress((index + done) / steps.length),
  }));
}

/** The rule of rows that begin with their step. */
export function withSteps(rule: ScopeRule): ScopeRule {
  return { ...rule, columns: [...stepColumns, ...rule.columns] };
}

function scopesOf(
  rule: ScopeRule,
  { label, fromAt, untilAt }: Step,
): Pick<ScopeRule, 'scopeOf' | 'chargeOf' | 'inStep'> {
  const inStep = (scope: RowScope): RowScope => ({
    ...scope,
    step: label,
    wholeKey: scope.key,
    key: JSON.stringify([label, scope.key]),
    stepFromAt: fromAt,
    stepUntilAt: untilAt,
  });
  return {
    inStep,
    scopeOf: (project, endpoint_id) => inStep(rule.scopeOf(project, endpoint_id)),
    chargeOf: line => inStep(rule.chargeOf(line)),
  };
}
