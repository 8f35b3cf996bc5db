import { cutIntoSteps, type Step } from '../../cost/calendar/step.ts';
import type { ReportSubject } from '../content.ts';
import type { Column } from '../format/report.ts';
import type { RowScope, ScopeRule } from './scope.ts';

const columns: readonly Column[] = [
  { key: 'step', kind: 'text' },
  { key: 'step_from', kind: 'instant', isForPrograms: true },
  { key: 'step_until', kind: 'instant', isForPrograms: true },
];

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
  return { ...rule, columns: [...columns, ...rule.columns] };
}

function scopesOf(
  rule: ScopeRule,
  { label, fromAt, untilAt }: Step,
): Pick<ScopeRule, 'scopeOf' | 'chargeOf' | 'inStep'> {
  const inStep = (scope: RowScope): RowScope => ({
    ...scope,
    step: label,
    key: JSON.stringify([label, scope.key]),
    cells: [label, fromAt, untilAt, ...scope.cells],
  });
  return {
    inStep,
    scopeOf: (project, endpoint_id) => inStep(rule.scopeOf(project, endpoint_id)),
    chargeOf: line => inStep(rule.chargeOf(line)),
  };
}
