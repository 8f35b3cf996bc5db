import { type ExecFileException, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Alert, FiringExample, Series } from '../../../dashboards/rules/alert.ts';
import type { Rule, RuleGroup } from '../../../dashboards/rules/rule-file.ts';

/** One question to a rule file: which alerts of this name fire at this moment, given these series. */
export interface RuleQuestion {
  readonly alertname: string;
  readonly series: Series;
  /** Since the start of the series: `5m`. */
  readonly at: string;
  /** Empty when it must be quiet. */
  readonly expected: readonly {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  }[];
}

interface RuleTest {
  readonly questions: readonly RuleQuestion[];
  readonly every?: string | undefined;
}

/** What the examples of an alert claim of the committed rule file. */
export function askExamples(alert: Alert): readonly RuleQuestion[] {
  const { compact, fires, quiet } = alert.examples;
  const varied = compact && { fires: { ...fires, ...compact.fires }, quiet: { ...quiet, ...compact.quiet } };
  return [{ fires, quiet }, ...(varied === undefined ? [] : [varied])].flatMap(each => askEach(alert, each));
}

function askEach(
  alert: Alert,
  { fires, quiet }: Pick<Alert['examples'], 'fires' | 'quiet'>,
): readonly RuleQuestion[] {
  const firing = describeFiring(alert, fires);
  const ask = (series: Series, at: string, expected: RuleQuestion['expected']) => ({
    alertname: alert.name,
    series,
    at,
    expected,
  });
  return [
    ask(fires.series, fires.quietAt, []),
    ask(fires.series, fires.firesAt, [firing]),
    ask(fires.series, fires.resolvedAt, []),
    ask(quiet.series, quiet.at, []),
  ];
}

/** An alert of the committed rule file with these labels of its own, as Prometheus would send it. */
export function describeFiring(
  alert: Alert,
  { labels, headline, description }: Pick<FiringExample, 'labels' | 'headline' | 'description'>,
): RuleQuestion['expected'][number] {
  return {
    labels: { ...labels, severity: alert.severity },
    annotations: {
      summary: headline,
      description,
      dashboard_url: `http://localhost:3000/d/${alert.board}${expectedQuery(labels)}`,
    },
  };
}

/** How the link narrows its board; nothing in the examples needs escaping. */
function expectedQuery({ account, project_id }: Readonly<Record<string, string>>): string {
  if (account === undefined) return '';
  return project_id === undefined
    ? `?var-account=${account}`
    : `?var-account=${account}&var-project=${project_id}`;
}

/** Runs `promtool test rules` on a rule file, which is evaluated at this interval. @returns what it says; empty when every answer is as expected. */
export function testRules(promtool: string, ruleFile: string, { questions, every = '1m' }: RuleTest): string {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-rules-'));
  try {
    const groups = pickGroups(ruleFile, questions);
    const write = (name: string, content: unknown) =>
      writeFileSync(join(folder, name), stringify(content, { aliasDuplicateObjects: false }));
    write('rules.yml', { groups });
    write('examples.yml', renderTest(groups, questions, every));
    execFileSync(promtool, ['test', 'rules', join(folder, 'examples.yml')], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as ExecFileException;
    return `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The rules of a file that answer the questions: what is recorded, and the alerts asked for. All would take long. */
function pickGroups(ruleFile: string, questions: readonly RuleQuestion[]): readonly RuleGroup[] {
  const isAsked = (rule: Rule) =>
    'record' in rule || questions.some(({ alertname }) => alertname === rule.alert);
  return readGroups(ruleFile)
    .map(group => ({ ...group, rules: group.rules.filter(isAsked) }))
    .filter(({ rules }) => rules.length > 0);
}

const groupsOf = new Map<string, readonly RuleGroup[]>();

/** The groups of a rule file, read once. */
function readGroups(ruleFile: string): readonly RuleGroup[] {
  const known = groupsOf.get(ruleFile);
  if (known !== undefined) return known;
  const { groups }: { readonly groups: readonly RuleGroup[] } = parse(readFileSync(ruleFile, 'utf8'));
  groupsOf.set(ruleFile, groups);
  return groups;
}

function renderTest(groups: readonly RuleGroup[], questions: readonly RuleQuestion[], every: string) {
  const bySeries = Map.groupBy(questions, ({ series }) => series);
  return {
    rule_files: ['rules.yml'],
    evaluation_interval: every,
    // As in the file: promtool would take them in any order, and what is recorded then comes a turn late.
    group_eval_order: groups.map(({ name }) => name),
    tests: [...bySeries].map(([series, asked]) => ({
      name: asked[0]?.alertname,
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: asked.map(({ alertname, at, expected }) => ({
        alertname,
        eval_time: at,
        exp_alerts: expected.map(({ labels, annotations }) => ({
          exp_labels: labels,
          exp_annotations: annotations,
        })),
      })),
    })),
  };
}
