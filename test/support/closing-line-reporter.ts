import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run with `N passed, N failed, N skipped` alone on a line, the form every CI can read. Before it comes one line
 * `skipped: …` for each reason a test gave, however many tests gave it.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    const reasons = new Set<string>();
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const result = test.result();
        count[result.state] += 1;
        if (result.state === 'skipped' && result.note) reasons.add(result.note);
      }
    }
    for (const reason of reasons) process.stdout.write(`\nskipped: ${reason}`);
    const unfinished = count.pending;
    process.stdout.write(
      `\n${count.passed} passed, ${count.failed + unfinished} failed, ${count.skipped} skipped\n`,
    );
  }
}
