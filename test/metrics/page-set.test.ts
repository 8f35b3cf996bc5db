import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type PageOptions, PageSet } from '../../src/metrics/page/page-set.ts';
import { GzipTail } from '../../src/metrics/page/piece.ts';
import { catalog } from '../../src/resources/catalog.ts';
import type { ProjectView } from '../../src/resources/project.ts';
import { readExposition } from '../support/exposition-reader.ts';
import { fleetProject } from '../support/fleet-view.ts';
import { readPage } from '../support/page-text.ts';
import { describeWithPeers } from '../support/peer.ts';
import { sampleBudget, sampleUsage, sampleUse } from '../support/sample-usage.ts';
import { sampleProject, sampleView } from '../support/sample-view.ts';

function openPages(projects = 0, options: PageOptions = {}): PageSet {
  const pages = new PageSet(catalog, options);
  for (let index = 0; index < projects; index += 1) put(pages, fleetProject(index));
  pages.render();
  return pages;
}

function put(pages: PageSet, project: ProjectView): void {
  pages.putProject(project.account, project.project_id, project);
}

/** Ids of the projects that are shown, in the order of the page. */
const projectsOf = (pages: PageSet) =>
  readExposition(readPage(pages).text)
    .filter(({ name }) => name === 'dbpm_project_info')
    .map(({ labels }) => labels.project_id);

describe('a page set', () => {
  it('renders nothing anew when nothing changed', () => {
    const pages = openPages(5);
    const { revision, series } = pages.render();
    put(pages, fleetProject(3));
    expect(pages.render()).toEqual({ revision, series, renewedPieces: 0, missing: new Map() });
  });

  it('renders of a project that changed the families that show it, and no other', () => {
    const pages = openPages(5);
    put(pages, { ...fleetProject(3), cpu_used_sec: 7, project_name: 'Another' });
    expect(pages.render()).toEqual({ revision: 2, series: 5 * 20, renewedPieces: 2, missing: new Map() });
    const changed = { ...fleetProject(4), endpoints: [] };
    put(pages, changed);
    expect(pages.render()).toEqual({
      revision: 3,
      series: 4 * 20 + 9,
      renewedPieces: 8,
      missing: new Map(),
    });
  });

  it('names a family of later versions only while it has samples', () => {
    const pages = openPages();
    pages.putAccount('main', sampleView);
    pages.render();
    const contract = readPage(pages).text;
    expect(contract).not.toContain('dbpm_account_lost_fields_total');
    pages.putAccount('main', { ...sampleView, lostFields: { retry_at: 2 } });
    pages.render();
    expect(readPage(pages).text).toContain(
      '# TYPE dbpm_account_lost_fields_total counter\ndbpm_account_lost_fields_total{account="main",field="retry_at"} 2\n',
    );
    pages.putAccount('main', sampleView);
    pages.render();
    expect(readPage(pages).text).toBe(contract);
  });

  it('renders of an account that changed the families that show it, and no other', () => {
    const pages = openPages(5);
    pages.putAccount('main', sampleView);
    pages.render();
    pages.putAccount('main', {
      ...sampleView,
      up: false,
      operationDurations: [
        {
          action: 'start_compute',
          seconds: { cumulativeCounts: [1, 2, 3, 3, 3, 3, 3, 3, 3, 4], count: 4, sum: 90.5 },
        },
      ],
    });
    expect(pages.render().renewedPieces).toBe(2);
  });

  it('renders of what is used and costs the families that are others now, and no other', () => {
    const pages = openPages(5);
    pages.putUsage(sampleUsage);
    const { series } = pages.render();
    pages.putUsage(structuredClone(sampleUsage));
    expect(pages.render().renewedPieces).toBe(0);
    const budgets = [{ ...sampleBudget, spent: 11, usedRatio: 0.275 }];
    pages.putUsage({ accounts: [{ ...sampleUse, computeSeconds: 9060 }], budgets });
    expect(pages.render()).toMatchObject({ series, renewedPieces: 3 });
    pages.putUsage(undefined);
    expect(pages.render().series).toBe(5 * 20);
  });

  it('counts every line of a histogram as a series', () => {
    const pages = openPages();
    pages.putAccount('main', sampleView);
    const { series } = pages.render();
    expect(series).toBe(readPage(pages).text.match(/^[^#]/gm)?.length);
  });

  it('takes a sample away that is known no more', () => {
    const pages = openPages(2);
    const { locked: _, ...others } = fleetProject(1);
    put(pages, others);
    expect(pages.render()).toEqual({ revision: 2, series: 39, renewedPieces: 1, missing: new Map() });
    expect(readPage(pages).text.match(/^dbpm_project_locked\{/gm)).toHaveLength(1);
  });

  describeWithPeers(['gunzip'], 'of many pieces', ({ gunzip }) => {
    it('makes a gzip stream that gzip itself takes', () => {
      const pages = openPages(300);
      const { gzip, crc, bytes } = pages.assemble('openmetrics');
      const input = Buffer.concat([gzip, new GzipTail().end('# EOF\n', crc, bytes)]);
      const output = execFileSync(gunzip, ['-c'], { input, encoding: 'utf8', maxBuffer: 1e9 });
      expect(output).toBe(`${readPage(pages).openmetrics}# EOF\n`);
    });
  });

  it('makes the next body in memory it is given back, when that is neither too small nor far too large', () => {
    const pages = openPages(20);
    const { gzip } = pages.assemble('text');
    const text = readPage(pages);
    for (const memory of [new ArrayBuffer(10), new ArrayBuffer(1_000_000)]) {
      pages.recycle(memory);
      expect(pages.assemble('text').gzip.buffer).not.toBe(memory);
    }
    pages.recycle(gzip.buffer);
    const again = pages.assemble('openmetrics');
    expect(again.gzip.buffer).toBe(gzip.buffer);
    expect(readPage(pages)).toEqual(text);
  });

  it('that is shown a view forgets what is not in it', () => {
    const pages = openPages(3);
    pages.putAccount('old', { ...sampleView, account: 'old' });
    pages.show([{ ...sampleView, projects: [sampleProject] }]);
    pages.render();
    const { text } = readPage(pages);
    expect(text.match(/^dbpm_up\{.*/gm)).toEqual(['dbpm_up{account="main"} 1']);
    expect(text.match(/^dbpm_project_locked\{.*/gm)).toEqual([
      'dbpm_project_locked{account="main",project_id="shop"} 0',
    ]);
  });

  it('keeps projects apart whose account and id read the same when joined', () => {
    const pages = openPages();
    put(pages, { ...sampleProject, account: 'a', project_id: 'bc', endpoints: [] });
    put(pages, { ...sampleProject, account: 'ab', project_id: 'c', endpoints: [] });
    pages.render();
    expect(readPage(pages).text.match(/^dbpm_project_locked\{.*/gm)).toHaveLength(2);
  });

  it('with a limit shows those that stand first, whole, and counts what is missing of each family', () => {
    const pages = openPages(5, { seriesLimit: 3 });
    const { series, missing } = pages.render();
    expect(projectsOf(pages)).toEqual([0, 1, 2].map(index => fleetProject(index).project_id));
    expect(missing.get('dbpm_project_info')).toBe(2);
    expect(missing.get('dbpm_up')).toBe(0);
    expect(series + [...missing.values()].reduce((sum, each) => sum + each, 0)).toBe(5 * 20);
  });

  it('fills the room that one leaves with the first of those that are missing, and nothing else moves', () => {
    const pages = openPages(5, { seriesLimit: 3, projectsPerBlock: 2 });
    pages.putProject(fleetProject(1).account, fleetProject(1).project_id, undefined);
    pages.render();
    expect(projectsOf(pages)).toEqual([0, 2, 3].map(index => fleetProject(index).project_id));
  });
});
