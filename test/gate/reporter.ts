import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { type FailedTest, type Report, wholeFile } from './report.ts';

/** Writes what a run of vitest came to into the file that `GATE_REPORT` names. */
export default class GateReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { GATE_REPORT } = process.env;
    if (GATE_REPORT === undefined) throw new Error('GATE_REPORT names no file');
    let passed = 0;
    let skipped = 0;
    const failed: FailedTest[] = [];
    const reasons = new Set<string>();
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      const suites = [module, ...module.children.allSuites()];
      if (suites.some(suite => suite.errors().length > 0)) failed.push({ file, test: wholeFile });
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') passed += 1;
        else if (result.state === 'skipped') skipped += 1;
        // A test that is still pending lost its worker.
        else failed.push({ file, test: test.fullName });
        if (result.state === 'skipped' && result.note) reasons.add(result.note);
      }
    }
    const errors = unhandledErrors.length;
    const report: Report = { passed, failed, skipped, errors, reasons: [...reasons] };
    writeFileSync(GATE_REPORT, JSON.stringify(report));
  }
}
