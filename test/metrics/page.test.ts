import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { AccountView } from '../../src/resources/account.ts';
import { type CatalogGroup, catalog } from '../../src/resources/catalog.ts';
import { declareFor } from '../../src/resources/family.ts';
import type { ProjectView } from '../../src/resources/project.ts';
import { listOpenMetricsProblems } from '../support/openmetrics-rules.ts';
import { publishPage } from '../support/page-text.ts';
import { describeWithPeers } from '../support/peer.ts';
import { sampleUsage } from '../support/sample-usage.ts';
import { sampleProject, sampleView } from '../support/sample-view.ts';

const scope = {
  unit: 'project' as const,
  labels: ['account', 'project_id'],
  subjects: (project: ProjectView) => [project],
  labelValues: (project: ProjectView) => [project.account, project.project_id],
};
const { gauge, counterBy, histogram } = declareFor<ProjectView>()(scope.labels);
const projectGroup: CatalogGroup = {
  ...scope,
  families: {
    locked: gauge('project_locked', 'Is it "locked"?', ({ locked }) =>
      locked === undefined ? undefined : Number(locked),
    ),
    used: counterBy('project_used_seconds_total', 'Used.', ['state'], ({ cpu_used_sec }, emit) => {
      emit(cpu_used_sec, 'active');
      emit(undefined, 'idle');
    }),
    took: histogram('project_took_seconds', 'Took.', ['action'], [1, 2.5], (project, emit) => {
      emit(undefined, 'stop');
      if (project.locked) emit({ cumulativeCounts: [1, 2], count: 3, sum: 9.25 }, 'start');
    }),
  },
};

const view = (account: string, ...projects: ProjectView[]): AccountView => ({
  ...sampleView,
  account,
  projects: projects.map(project => ({ ...project, account })),
});

const { locked: _, cpu_used_sec: __, ...silentProject } = sampleProject;
const views = [
  view('a', { ...sampleProject, project_id: 'p"1', locked: true }, { ...silentProject, project_id: 'p2' }),
  view('b', { ...sampleProject, project_id: 'p1', cpu_used_sec: 7 }),
];

const samples = {
  locked: 'project_locked{account="a",project_id="p\\"1"} 1\nproject_locked{account="b",project_id="p1"} 0\n',
  used: [
    'project_used_seconds_total{account="a",project_id="p\\"1",state="active"} 120\n',
    'project_used_seconds_total{account="b",project_id="p1",state="active"} 7\n',
  ].join(''),
  took: [
    'project_took_seconds_bucket{account="a",project_id="p\\"1",action="start",le="1.0"} 1\n',
    'project_took_seconds_bucket{account="a",project_id="p\\"1",action="start",le="2.5"} 2\n',
    'project_took_seconds_bucket{account="a",project_id="p\\"1",action="start",le="+Inf"} 3\n',
    'project_took_seconds_sum{account="a",project_id="p\\"1",action="start"} 9.25\n',
    'project_took_seconds_count{account="a",project_id="p\\"1",action="start"} 3\n',
  ].join(''),
};

describe('a page', () => {
  it('in text is each family with the samples of all accounts, and without those that do not exist', () => {
    expect(publishPage([projectGroup], views).text).toBe(
      [
        `# HELP project_locked Is it "locked"?\n# TYPE project_locked gauge\n${samples.locked}`,
        `# HELP project_used_seconds_total Used.\n# TYPE project_used_seconds_total counter\n${samples.used}`,
        `# HELP project_took_seconds Took.\n# TYPE project_took_seconds histogram\n${samples.took}`,
      ].join(''),
    );
  });

  it('in OpenMetrics has the same samples below headers of its own, and no end mark', () => {
    expect(publishPage([projectGroup], views).openmetrics).toBe(
      [
        `# TYPE project_locked gauge\n# HELP project_locked Is it \\"locked\\"?\n${samples.locked}`,
        '# TYPE project_used_seconds counter\n# UNIT project_used_seconds seconds\n',
        `# HELP project_used_seconds Used.\n${samples.used}`,
        '# TYPE project_took_seconds histogram\n# UNIT project_took_seconds seconds\n',
        `# HELP project_took_seconds Took.\n${samples.took}`,
      ].join(''),
    );
  });

  it('of no account is the headers alone', () => {
    const lines = publishPage(catalog, []).text.split('\n');
    expect(lines.filter(line => !line.startsWith('#'))).toEqual(['']);
    expect(lines).toContain('# TYPE dbpm_up gauge');
  });

  it('of everything that is watched keeps the rules of OpenMetrics', () => {
    const second = { ...view('second', { ...sampleProject, endpoints: [] }), api_keys: [] };
    const page = publishPage(catalog, [sampleView, second], sampleUsage);
    expect(listOpenMetricsProblems(`${page.openmetrics}# EOF\n`)).toEqual([]);
  });
});

describeWithPeers(['promtool'], 'promtool', ({ promtool }) => {
  it('finds nothing in a page of everything that is watched', () => {
    const input = publishPage(catalog, [sampleView], sampleUsage).text;
    expect(execFileSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8', stdio: 'pipe' })).toBe('');
  });
});
