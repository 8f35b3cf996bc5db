import type { ReportHistory } from '../../history/usage/report-history.ts';
import { secondMs } from '../../resources/duration.ts';
import { largest, smallest } from '../../resources/extreme.ts';
import type { ReportSpan } from '../format/report.ts';
import type { ReportRequest } from '../request.ts';

/**
 * Where one of two compared periods is not over, both are cut to the time of it that is known; other requests stay as
 * they are.
 */
export function cutAlike<Request extends ReportRequest>(
  request: Request,
  { accounts, usage }: ReportHistory,
): Request {
  const { against, span, now } = request;
  if (against === undefined) return request;
  const known = accounts.flatMap(account => usage.knownUntil(account) ?? []);
  const reachedAt = known.length === 0 ? now : Math.min(now, largest(known));
  const open = [span, against.span].filter(({ untilAt }) => untilAt === now);
  const lengthMs = smallest(open.map(({ fromAt }) => Math.max(secondMs, reachedAt - fromAt)));
  const cut = (each: ReportSpan) => ({ ...each, untilAt: Math.min(each.untilAt, each.fromAt + lengthMs) });
  return {
    ...request,
    span: cut(span),
    against: { ...against, span: cut(against.span), isCut: open.length > 0 },
  };
}
