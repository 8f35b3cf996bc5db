import { drawPicture } from '../picture/picture.ts';
import { RecordedDemo } from '../picture/recorded-demo.ts';
import { renderConsole } from './console-example.ts';

/** Lines of the README's excerpt of `/metrics`: each the first one of the demo's page that fits. */
const shownLines: readonly RegExp[] = [
  /^dbpm_project_cpu_used_seconds_total/,
  /^dbpm_endpoint_state\{.*state="active"\} 1$/,
  /^dbpm_endpoint_starts_total\{/,
  /^dbpm_operations_total\{.*status="failed"\} [1-9]/,
  /^dbpm_api_key_stale\{.*\} 1$/,
  /^dbpm_account_forecast_cost\{.*bound="expected"\}/,
];

const costLine = 'report cost --period 2026-10 --by group';
const findingLine = 'report findings --period last-30d';
/** Title, head and the first two findings. */
const findingLines = 10;

export interface DemoExamples {
  readonly excerpt: string;
  readonly report: string;
  readonly picture: string;
}

/** Parts of the documents that show the demo: lines of its page, reports, and the picture. */
export async function renderDemoExamples(): Promise<DemoExamples> {
  using demo = await RecordedDemo.record();
  const report = async (line: string) => demo.report(line.replace(/^report /, ''));
  const findings = (await report(findingLine)).split('\n').slice(0, findingLines).join('\n');
  return {
    excerpt: renderExcerpt(demo.page),
    report: [
      renderConsole(costLine, await report(costLine)),
      renderConsole(`${findingLine} | head -${findingLines}`, findings),
    ].join('\n'),
    picture: await drawPicture(demo),
  };
}

function renderExcerpt(page: string): string {
  const lines = page.split('\n');
  const shown = shownLines.map(pattern => {
    const line = lines.find(each => pattern.test(each));
    if (line === undefined) throw new Error(`the page of the demo has no line like ${pattern}`);
    return line;
  });
  return ['```', ...shown, '```', ''].join('\n');
}
