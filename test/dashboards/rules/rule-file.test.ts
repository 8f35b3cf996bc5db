import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { alerts } from '../../../dashboards/rules/alert-catalog.ts';
import { buildRuleGroups } from '../../../dashboards/rules/rule-file.ts';
import { loadCheckedRules } from '../../../src/check/config/loaded-config.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { findQueryMistakes, readQuery } from '../query-reader.ts';

const pathOf = (path: string) => new URL(`../../../dashboards/${path}`, import.meta.url).pathname;
const runbook = readFileSync(new URL('../../../docs/alerts.md', import.meta.url), 'utf8');
const boards = alerts.map(({ board }) => board);
const defaults = await loadCheckedRules({ flags: {}, env: {} });
const groups = buildRuleGroups(defaults);
const rules = groups.flatMap(group => group.rules);
const alertRules = rules.flatMap(rule => ('alert' in rule ? [rule] : []));
const recordingRules = rules.flatMap(rule => ('record' in rule ? [rule] : []));

/** Labels that name what an alert is about, the nearest first. */
const objects = ['key_name', 'endpoint_id', 'project_name', 'account', 'budget', 'instance', 'job'];

describe.each(alertRules)('$alert', rule => {
  const { alert, expr, labels, annotations } = rule;

  test('has a name of its own in the form of the others', () => {
    expect(alert).toMatch(/^Dbpm([A-Z]+[a-z0-9]+)+$/);
    expect(alert.length).toBeLessThanOrEqual(40);
    expect(alertRules.filter(other => other.alert === alert)).toHaveLength(1);
  });

  test('names in its summary what it is about, as far as its labels go', () => {
    const example = alerts.find(each => each.name === alert)?.examples.fires;
    const [object] = objects.filter(label => label in (example?.labels ?? {}));
    expect(object).toBeDefined();
    expect(annotations.summary).toContain(`{{ $labels.${object} }}`);
    expect(annotations.summary).toMatch(/^[A-Z{].+\.$/);
    const amount = /\$value \|[^}]+/.exec(annotations.description ?? '')?.[0];
    if (amount !== undefined && !amount.includes('humanizeTimestamp'))
      expect(annotations.summary).toContain(amount);
  });

  test('compares, waits, and says how urgent it is', () => {
    expect(readQuery(expr).hasComparison).toBe(true);
    expect(rule.for).toMatch(/^(\d+[dhms])+$/);
    expect(['critical', 'warning', 'info']).toContain(labels.severity);
    expect(Object.values(labels).join()).not.toContain('{{');
  });

  test('says in one sentence what is so, and with values what to do', () => {
    expect(Object.keys(annotations)).toEqual([
      ...['summary', 'description'],
      ...['runbook_url', 'console_url', 'dashboard_url'],
    ]);
    expect(alerts.find(({ name }) => name === alert)?.summary).toMatch(/^[A-Z][^.{}]+\.$/);
    expect(annotations.description).toMatch(/\{\{ .+ \}\}.*\. .+\.$/);
  });

  test('names labels in its summary and description that it really has', () => {
    const example = alerts.find(each => each.name === alert)?.examples.fires;
    const texts = `${annotations.summary} ${annotations.description}`;
    const named = [...texts.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
    expect(Object.keys(example?.labels ?? {})).toEqual(expect.arrayContaining(named));
  });

  test('asks only for what is declared, and for its own job', () => {
    expect(findQueryMistakes(expr)).toEqual([]);
    expect(readQuery(expr).selectors.filter(({ labels: asked }) => !asked.includes('job'))).toEqual([]);
  });
});

test.each(recordingRules)('$record is level:metric:operation over what is declared', ({ record, expr }) => {
  expect(record).toMatch(/^(account|budget|project|endpoint|action):dbpm_[a-z_]+:[a-z0-9_]+$/);
  expect(findQueryMistakes(expr, { made: ['ago'] })).toEqual([]);
  expect(readQuery(expr).selectors.filter(({ labels }) => !labels.includes('job'))).toEqual([]);
  expect(expr).not.toMatch(/\bby \(/);
});

test('no group is too long for one evaluation after another', () => {
  expect(groups.map(({ rules: { length } }) => length).filter(length => length > 20)).toEqual([]);
});

test('every alert has its section in the runbook, and every section its alert', () => {
  const sections = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(alerts.map(({ name }) => name));
});

test('the section of an alert says what its own settings mean', () => {
  const sections = new Map(runbook.split(/^### /m).map(section => [section.split('\n')[0], section]));
  const unsaid = alerts.flatMap(({ name, thresholds }) =>
    Object.keys(thresholds)
      .filter(setting => !sections.get(name)?.includes(`\`${setting}\``))
      .map(setting => `${name}: ${setting}`),
  );
  expect(unsaid).toEqual([]);
});

test('every section of the runbook says what it means and what to do first, in few words', () => {
  const sections = runbook.split(/^### /m).slice(1);
  const incomplete = sections.filter(
    section => !/^\*\*Meaning\.\*\* [\s\S]+^\*\*Do first\.\*\* /m.test(section),
  );
  expect(incomplete).toEqual([]);
  const wordsOf = (section: string) =>
    section
      .replace(/^## [\s\S]*/m, '')
      .replaceAll(/```[\s\S]*?```/g, '')
      .split(/\s+/).length;
  expect(sections.filter(section => wordsOf(section) > 130)).toEqual([]);
});

test('every query of the runbook asks for what is declared', () => {
  const queries = [...runbook.matchAll(/^ask '(.+?)'(?:\s+#.*)?$/gm)].map(([, query = '']) =>
    query.replaceAll(/'"\$(\w+)"'/g, '$1'),
  );
  expect(queries).toHaveLength(runbook.match(/^ask /gm)?.length ?? 0);
  expect(queries.flatMap(query => findQueryMistakes(query))).toEqual([]);
});

test.each([...new Set(boards)])('the board %s that alerts link to exists', uid => {
  const board: { readonly uid: string } = JSON.parse(readFileSync(pathOf(`boards/${uid}.json`), 'utf8'));
  expect(board.uid).toBe(uid);
});

test('without a word about addresses, every alert links to its section of the runbook and to its page of the console', () => {
  const links = Object.fromEntries(
    rules.flatMap(rule =>
      'alert' in rule ? [[rule.alert, [rule.annotations.runbook_url, rule.annotations.console_url]]] : [],
    ),
  );
  for (const [name, [runbook]] of Object.entries(links)) {
    expect(runbook).toBe(`http://localhost:10062/help/alerts/${name}`);
  }
  const project = '{{ $labels.account | urlquery }}/{{ $labels.project_id | urlquery }}';
  const page = (name: string) => links[name]?.[1]?.replace('http://localhost:10062', '');
  expect(page('DbpmOperationFailed')).toBe(
    `/operations/${project}/last-failed?action={{ $labels.action | urlquery }}`,
  );
  expect(page('DbpmOperationStuck')).toBe(`/operations/${project}/oldest-open`);
  expect(page('DbpmEndpointFlapping')).toBe(`/projects/${project}`);
  expect(page('DbpmApiKeyUnused')).toBe(
    '/keys?account={{ $labels.account | urlquery }}#key-{{ $labels.key_id | urlquery }}',
  );
  expect(page('DbpmBudgetExhausted')).toBe('/cost');
  expect(page('DbpmFindingsCostly')).toBe('/findings');
  expect(page('DbpmKeyRejected')).toBe('/health');
});

test('the settings of an alert reach its rule, and only its rule', () => {
  const stuck = defaults.alerts.DbpmOperationStuck;
  if (stuck === undefined) throw new Error('there is no such alert');
  const tuned = buildRuleGroups({
    ...defaults,
    job: 'fleet',
    labels: { team: 'database' },
    runbookUrl: 'https://wiki.example.com/dbpm',
    dashboardUrl: 'https://grafana.example.com',
    consoleUrl: 'https://dbpm.example.com',
    alerts: {
      ...defaults.alerts,
      DbpmOperationStuck: { ...stuck, severity: 'critical', forMs: 90_500, thresholds: { age: 7_200_000 } },
    },
  }).flatMap(group => group.rules);
  expect(tuned.find(rule => 'alert' in rule && rule.alert === 'DbpmOperationStuck')).toEqual({
    alert: 'DbpmOperationStuck',
    expr: `(
  (dbpm_project_last_refresh_timestamp_seconds{job="fleet"} - dbpm_operation_oldest_in_progress_timestamp_seconds{job="fleet"}) > 7200
)
* on (instance, account, project_id) group_left (project_name) dbpm_project_info{job="fleet"}`,
    for: '1m30s500ms',
    keep_firing_for: '10m',
    labels: { team: 'database', severity: 'critical' },
    annotations: {
      summary:
        'An operation of project {{ $labels.project_name }} has been going on for {{ $value | humanizeDuration }}.',
      description: alerts.find(({ name }) => name === 'DbpmOperationStuck')?.description,
      runbook_url: 'https://wiki.example.com/dbpm#dbpmoperationstuck',
      console_url:
        'https://dbpm.example.com/operations/{{ $labels.account | urlquery }}/{{ $labels.project_id | urlquery }}/oldest-open',
      dashboard_url:
        'https://grafana.example.com/d/dbpm-operations?var-account={{ $labels.account | urlquery }}&var-project={{ $labels.project_id | urlquery }}',
    },
  });
  expect(tuned).toHaveLength(rules.length);
});

const thresholds = alerts.flatMap(({ name, thresholds: declared }) =>
  Object.keys(declared).map(threshold => [name, threshold] as const),
);

test.each(thresholds)('%s asks for its threshold %s', (name, threshold) => {
  const values = defaults.alerts[name];
  if (values === undefined) throw new Error('there is no such alert');
  const changed = { ...values, thresholds: { ...values.thresholds, [threshold]: 123_456_000 } };
  const tuned = buildRuleGroups({ ...defaults, alerts: { ...defaults.alerts, [name]: changed } });
  const different = tuned
    .flatMap(group => group.rules)
    .filter((rule, index) => rule.expr !== rules[index]?.expr)
    .map(rule => ('alert' in rule ? rule.alert : rule.record));
  expect(different).toEqual([name]);
});

test('an alert that is switched off is not in the file, nor a group that has none left', () => {
  const off = Object.entries(defaults.alerts).map(([name, values]) => [name, { ...values, enabled: false }]);
  const left = buildRuleGroups({ ...defaults, alerts: Object.fromEntries(off) });
  expect(left.map(({ name }) => name)).toEqual(['dbpm-recording']);
});

describeWithPeers(['promtool'], 'the committed rule file', ({ promtool }) => {
  test('passes promtool and its lint', () => {
    const said = execFileSync(promtool, ['check', 'rules', '--lint-fatal', pathOf('rules/dbpm.rules.yml')], {
      encoding: 'utf8',
    });
    expect(said).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});
