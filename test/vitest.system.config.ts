import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { common, systemTests } from './vitest.config.ts';

/** What waits longest begins first: at the end of a run nothing is waited for alone. */
const longest = [
  'e2e/console/every-page',
  'e2e/fault/fault',
  'e2e/console/first-state',
  'package/package',
  'docs/command',
  'e2e/console/question',
  'e2e/standby',
  'e2e/drill',
].map(name => `/test/${name}.system.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex(end => moduleId.endsWith(end));
      return index < 0 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** `npm run test:system`: whole programs, and real peers. */
export default defineConfig({
  test: {
    ...common,
    include: [systemTests],
    sequence: { sequencer: LongestFirst },
    // Programs wait for each other half of the time: three at a time keep two cores busy.
    maxWorkers: 3,
  },
});
