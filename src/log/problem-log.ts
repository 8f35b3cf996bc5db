import { renderDuration } from '../resources/duration.ts';
import { compact } from '../resources/field.ts';
import { describeError, nameReason } from './error-record.ts';
import type { LogFields, Logger } from './logger.ts';
import { Problem } from './problem.ts';

/** Work that is done again and again, and how it is said that it fails and that it works again. */
export interface RepeatedWork {
  readonly level: 'warn' | 'error';
  readonly failed: string;
  readonly recovered: string;
}

/** Instants of a clock that never steps. */
interface ProblemClock {
  now(): number;
  /** The instant of the host's clock, in epoch milliseconds. */
  toHostClock(at: number): number;
}

/** Fields that say which of the same work it is: an account, a collector. */
type About = Readonly<Record<string, string>>;

/** A problem that lasts. */
export interface LastingProblem {
  /** A few words, as the log has them. */
  readonly what: string;
  readonly about: About;
  readonly reason?: string;
  /** The cause and the remedy, as the log has them. */
  readonly message: string;
  /** The same without where it happened: the cause, and after semicolons what to do; absent where the error has none apart. */
  readonly advice?: string;
  /** Epoch milliseconds by the host's clock, as the next. */
  readonly sinceAt: number;
  readonly lastAt: number;
  readonly failures: number;
}

interface KnownProblem {
  readonly work: RepeatedWork;
  readonly about: About;
  readonly reason: string | undefined;
  readonly problem: Problem;
  /** The newest. */
  error: unknown;
}

/**
 * Logs what fails again and again when it begins, ever less often while it lasts, and when it is over. Failures of the
 * same work for the same reason are one problem, also with different messages.
 */
export class ProblemLog {
  readonly #log: Logger;
  readonly #clock: ProblemClock;
  readonly #known = new Map<string, KnownProblem>();

  constructor(log: Logger, clock: ProblemClock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** The problems that last. */
  list(): readonly LastingProblem[] {
    return [...this.#known.values()]
      .filter(({ problem }) => problem.failing > 0)
      .map(({ work, about, reason, problem, error }) => ({
        ...{ what: work.failed, about, failures: problem.failures },
        message: this.#log.redact(describeError(error)),
        ...(reason !== undefined && { reason }),
        ...compact({ advice: this.#adviceIn(error) }),
        lastAt: this.#clock.toHostClock(problem.failedAt),
        sinceAt: this.#clock.toHostClock(problem.sinceAt),
      }));
  }

  /** How many problems last. */
  get lasting(): number {
    return [...this.#known.values()].filter(({ problem }) => problem.failing > 0).length;
  }

  /**
   * Notes that work failed.
   *
   * @param project_id the project it was done for, where it is done for one at a time.
   */
  fail(work: RepeatedWork, about: About, error: unknown, project_id?: string): void {
    const now = this.#clock.now();
    this.#settle(now);
    const reason = nameReason(error);
    const key = JSON.stringify([work.failed, about, reason]);
    const known = this.#known.get(key) ?? { work, about, reason, problem: new Problem(now), error };
    known.error = error;
    this.#known.set(key, known);
    const { problem } = known;
    if (!problem.fail(project_id ?? '', now)) return;
    const isNew = problem.failures === 1;
    this.#log[work.level](
      {
        ...about,
        ...(project_id !== undefined && { project_id }),
        ...(!isNew && this.#describeLasting(problem, project_id !== undefined)),
        err: error,
      },
      work.failed,
    );
  }

  /** Notes that work succeeded. */
  succeed(work: RepeatedWork, about: About, project_id?: string): void {
    if (this.#known.size === 0) return;
    const now = this.#clock.now();
    const scope = JSON.stringify([work.failed, about]);
    for (const known of this.#known.values()) {
      if (JSON.stringify([known.work.failed, known.about]) !== scope) continue;
      known.problem.succeed(project_id ?? '', now);
    }
    this.#settle(now);
  }

  #adviceIn(error: unknown): string | undefined {
    if (!(error instanceof Error) || !('advice' in error)) return undefined;
    return typeof error.advice === 'string' ? this.#log.redact(error.advice) : undefined;
  }

  #describeLasting(problem: Problem, isOfProjects: boolean): LogFields {
    return {
      failures: problem.failures,
      ...(isOfProjects && { projects: problem.failing }),
      since: new Date(this.#clock.toHostClock(problem.sinceAt)).toISOString(),
    };
  }

  #settle(now: number): void {
    for (const [key, { work, about, reason, problem }] of this.#known) {
      if (problem.takeEnd(now)) {
        const { failures } = problem;
        const lasted = renderDuration(problem.lastedMs(now));
        this.#log.info({ ...about, reason, failures, lasted }, work.recovered);
      }
      if (problem.isPast(now)) this.#known.delete(key);
    }
  }
}
