import { type ExecFileException, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Alert, Series } from '../../../dashboards/rules/alert.ts';

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
  const { fires, quiet } = alert.examples;
  const firing = {
    labels: { ...fires.labels, severity: alert.severity },
    annotations: {
      summary: alert.summary,
      description: fires.description,
      runbook_url: `dashboards/runbook.md#${alert.name.toLowerCase()}`,
      dashboard_url: `http://localhost:3000/d/${alert.board}${expectedQuery(fires.labels)}`,
    },
  };
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
    const file = join(folder, 'examples.yml');
    writeFileSync(file, stringify(renderTest(ruleFile, questions, every), { aliasDuplicateObjects: false }));
    execFileSync(promtool, ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as ExecFileException;
    return `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function renderTest(ruleFile: string, questions: readonly RuleQuestion[], every: string) {
  const bySeries = Map.groupBy(questions, ({ series }) => series);
  return {
    rule_files: [ruleFile],
    evaluation_interval: every,
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
