import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formats } from '../../src/metrics/page/exposition.ts';
import { PageSet } from '../../src/metrics/page/page-set.ts';
import type { AccountSummary } from '../../src/resources/account.ts';
import { catalog } from '../../src/resources/catalog.ts';
import type { ProjectView } from '../../src/resources/project.ts';
import type { UsageView } from '../../src/resources/usage/view.ts';
import { readExposition } from '../support/exposition-reader.ts';
import { type PageUnits, renderPage } from '../support/page-reference.ts';
import { readPage } from '../support/page-text.ts';
import { sampleView } from '../support/sample-view.ts';
import { runs } from '../support/seed.ts';
import { hostileUsage } from './hostile-usage.ts';
import { asProject, hostileProject } from './hostile-view.ts';

/** The gate tries a fifth of them. */

const projectsPerBlock = 2;
const account = fc.constantFrom('main', '"}\n');
const project_id = fc.constantFrom('p', '', '\0', 'ü🐘', '\\"', 'p\n');

const change = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('put'), account, project_id, fields: hostileProject }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('remove'), account, project_id }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('account'), account, up: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('account gone'), account }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('usage'), usage: fc.option(hostileUsage) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('publish') }) },
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** What was put, beside the page set it was put into. */
class Model {
  readonly pages = new PageSet(catalog, { projectsPerBlock });
  /** The same with a limit; the other one says in which order. */
  readonly limited: PageSet;
  readonly accounts = new Map<string, AccountSummary>();
  readonly projects = new Map<string, ProjectView>();
  usage: UsageView | undefined;

  constructor(seriesLimit = 1) {
    this.limited = new PageSet(catalog, { projectsPerBlock, seriesLimit });
  }

  /** How many series the limit keeps off the page, of each family. */
  missing: ReadonlyMap<string, number> = new Map();

  publish(): void {
    this.pages.render();
    this.missing = this.limited.render().missing;
  }

  apply(each: Change): void {
    if (each.kind === 'publish') this.publish();
    else if ('usage' in each) {
      this.usage = each.usage ?? undefined;
      for (const pages of [this.pages, this.limited]) pages.putUsage(this.usage);
    } else if ('fields' in each) {
      const { account, project_id, fields } = each;
      const project = asProject(account, { ...fields, project_id });
      this.projects.set(JSON.stringify([account, project_id]), project);
      for (const pages of [this.pages, this.limited]) pages.putProject(account, project_id, project);
    } else if ('project_id' in each) {
      this.projects.delete(JSON.stringify([each.account, each.project_id]));
      const { account, project_id } = each;
      for (const pages of [this.pages, this.limited]) pages.putProject(account, project_id, undefined);
    } else if ('up' in each) {
      const summary = { ...sampleView, account: each.account, api_keys: [], up: each.up };
      this.accounts.set(each.account, summary);
      for (const pages of [this.pages, this.limited]) pages.putAccount(each.account, summary);
    } else if ('account' in each) {
      this.accounts.delete(each.account);
      for (const pages of [this.pages, this.limited]) pages.putAccount(each.account, undefined);
    }
  }

  /** All that was put, in the order in which the page shows it. */
  inOrderOf(text: string): PageUnits {
    const samples = readExposition(text);
    const labelsOf = (metric: string) =>
      samples.filter(({ name }) => name === metric).map(({ labels }) => labels);
    const accounts = labelsOf('dbpm_up').map(labels => this.accounts.get(labels.account ?? ''));
    const projects = labelsOf('dbpm_project_info').map(labels =>
      this.projects.get(JSON.stringify([labels.account, labels.project_id])),
    );
    expect(new Set(accounts)).toEqual(new Set(this.accounts.values()));
    expect(new Set(projects)).toEqual(new Set(this.projects.values()));
    return {
      accounts: accounts.filter(found => found !== undefined),
      projects: projects.filter(found => found !== undefined),
      usage: this.usage,
    };
  }
}

it('after any changes the page is that of a rendering from scratch, byte for byte in both formats', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), changes => {
      const model = new Model();
      for (const each of changes) model.apply(each);
      model.pages.render();
      const page = readPage(model.pages);
      expect(page).toEqual(renderPage(catalog, model.inOrderOf(page.text)));
      for (const format of formats) {
        const { crc, bytes } = model.pages.assemble(format);
        expect(crc).toBe(crc32(page[format]));
        expect(bytes).toBe(Buffer.byteLength(page[format]));
      }
    }),
    { numRuns: runs(20) },
  );
});

const countLines = (text: string) => {
  const names = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  const familyOf = (line: string) => line.split('{', 1)[0]?.replace(/_(bucket|sum|count)$/, '') ?? '';
  return Map.groupBy(names, familyOf);
};

it('after any changes a page with a limit is that of a rendering from scratch with it', () => {
  const limits = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(limits, fc.array(change, { maxLength: 60 }), (limit, changes) => {
      const model = new Model(limit);
      for (const each of changes) model.apply(each);
      model.publish();
      const page = readPage(model.pages);
      const limited = readPage(model.limited);
      expect(limited).toEqual(renderPage(catalog, model.inOrderOf(page.text), limit));
      const whole = countLines(page.text);
      const kept = countLines(limited.text);
      for (const [family, series] of model.missing) {
        expect(series).toBe((whole.get(family)?.length ?? 0) - (kept.get(family)?.length ?? 0));
      }
    }),
    { numRuns: runs(20) },
  );
});

it('between publications the page stays that of the last one, whatever is put', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 25 }), changes => {
      const model = new Model();
      let { revision } = model.pages.render();
      let shown = readPage(model.pages);
      for (const each of changes) {
        model.apply(each);
        const now = model.pages.assemble('text');
        if (each.kind === 'publish') {
          const page = readPage(model.pages);
          expect(now.revision > revision || page.text === shown.text).toBe(true);
          shown = page;
          revision = now.revision;
        } else {
          expect(now.revision).toBe(revision);
          expect(readPage(model.pages)).toEqual(shown);
        }
      }
    }),
    { numRuns: runs(10) },
  );
});
