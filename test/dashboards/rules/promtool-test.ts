import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Alert, FiringExample, Series } from '../../../dashboards/rules/alert.ts';
import { alerts } from '../../../dashboards/rules/alert-catalog.ts';
import { consolePathOf, type Rule, type RuleGroup } from '../../../dashboards/rules/rule-file.ts';

/** One question to a rule file: which alerts of this name fire at this moment, given these series. */
interface RuleQuestion {
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

export function findAlert(name: string): Alert {
  const alert = alerts.find(each => each.name === name);
  if (alert === undefined) throw new Error(`there is no alert ${name}`);
  return alert;
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
  { labels, value }: Pick<FiringExample, 'labels' | 'value'>,
): RuleQuestion['expected'][number] {
  const say = (sentence: string) => fillSentence(sentence, { labels, value });
  return {
    labels: { ...labels, severity: alert.severity },
    annotations: {
      summary: say(alert.headline),
      description: say(alert.description),
      runbook_url: `http://localhost:10062/help/alerts/${alert.name}`,
      console_url: `http://localhost:10062${expectedPath(alert, labels)}`,
      dashboard_url: `http://localhost:3000/d/${alert.board}${expectedQuery(labels)}`,
    },
  };
}

/** A sentence as a person reads it: with each label that it names, and with the value as the example writes it. */
function fillSentence(
  sentence: string,
  {
    labels,
    value,
  }: { readonly labels: Readonly<Record<string, string>>; readonly value: string | undefined },
): string {
  return sentence.replaceAll(/\{\{ \$(?:labels\.(\w+)|value)[^}]* \}\}/g, (placeholder, label?: string) => {
    const said = label === undefined ? value : labels[label];
    if (said === undefined) throw new Error(`the example has nothing for ${placeholder}`);
    return said;
  });
}

/** The page with the values of the labels in its path. */
function expectedPath(alert: Alert, labels: Readonly<Record<string, string>>): string {
  return consolePathOf(alert).replaceAll(
    /\{\{ \$labels\.(\w+) \| urlquery \}\}/g,
    (_, label) => labels[label] ?? '',
  );
}

/** How the link narrows its board; nothing in the examples needs escaping. */
function expectedQuery({ account, project_id }: Readonly<Record<string, string>>): string {
  if (account === undefined) return '';
  return project_id === undefined
    ? `?var-account=${account}`
    : `?var-account=${account}&var-project=${project_id}`;
}

/**
 * Runs `promtool test rules` on a rule file, which each test has evaluated at an interval of its own.
 *
 * @returns what it says of each test; empty when every answer is as expected.
 */
export function testRules(promtool: string, ruleFile: string, tests: readonly RuleTest[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-rules-'));
  try {
    // JSON is YAML.
    const write = (name: string, content: unknown) =>
      writeFileSync(join(folder, name), JSON.stringify(content));
    const files = tests.map(({ questions, every = '1m' }, index) => {
      const groups = pickGroups(ruleFile, questions);
      write(`rules-${index}.yml`, { groups });
      write(`test-${index}.yml`, {
        rule_files: [`rules-${index}.yml`],
        ...renderTest(groups, questions, every),
      });
      return join(folder, `test-${index}.yml`);
    });
    return runTests(promtool, files, join(folder, 'said.txt'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One process for all: most of them take less time than its start. */
function runTests(promtool: string, files: readonly string[], saidFile: string): readonly string[] {
  // Both streams go to one file, which keeps the order of what it says.
  const said = openSync(saidFile, 'w');
  spawnSync(promtool, ['test', 'rules', ...files], { stdio: ['ignore', said, said] });
  closeSync(said);
  const [begin, ...sections] = readFileSync(saidFile, 'utf8').split(/^Unit Testing: +/m);
  return files.map((file, index) => {
    const section = sections[index] ?? `${begin} has not come to it`;
    return section.trim() === `${file}\n  SUCCESS` ? '' : section;
  });
}

/**
 * The rules of a file that answer the questions: the alerts asked for, and what is recorded for them. To evaluate the others
 * each minute of some days takes most of the time, and changes no answer.
 */
function pickGroups(ruleFile: string, questions: readonly RuleQuestion[]): readonly RuleGroup[] {
  const picked = new Set<Rule>();
  const isAsked = (rule: Rule) =>
    'record' in rule
      ? picked.values().some(({ expr }) => expr.includes(rule.record))
      : questions.some(({ alertname }) => alertname === rule.alert);
  const groups = readGroups(ruleFile);
  // What a rule asks for is recorded before it.
  for (const rule of groups.flatMap(({ rules }) => rules).toReversed()) if (isAsked(rule)) picked.add(rule);
  return groups
    .map(group => ({ ...group, rules: group.rules.filter(rule => picked.has(rule)) }))
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
