import { runCommandLine } from '../../src/cli/command-line.ts';
import { planCommand } from '../../src/cli/plan.ts';
import { makeFakeIo } from '../cli/fake-io.ts';
import { RecordedDemo } from './recorded-demo.ts';

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
const whyLine = 'report why --period 2026-10-19..2026-10-26';
/** Sentences and the first cause of a difference, with its parts. */
const whyLines = 15;
const reconcileLine = 'reconcile --invoice invoice.csv --period billing:2026-10-11';
const closeLine = 'close --period billing:2026-10-11';
const invoiceConfig = `pricing:
  currency: USD
  billing_period: {hours: 240, from: 2026-10-01}
  plans:
    - name: scale
      base_fee: 19
      prices: [{from: 2026-01-01, per_compute_hour: 0.16}]
  lines:
    - {name: storage, from: 2026-10-01, quantity: 40, unit: GB-month, price: 0.35}
`;
const invoice = `Description,Quantity,Unit price,Amount
Compute (CU-hours),"2,745.10",0.16,439.22
Base fee,,,19.00
Storage (GB-months),40,0.35,14.00
Data transfer (GB),46.7,0.09,4.20
Total,,,476.42
`;
/** Title, head and the first finding. */
const findingLines = 7;

export interface DemoExamples {
  readonly excerpt: string;
  readonly report: string;
  /** A week against the week before it. */
  readonly why: string;
  /** Prices, an invoice, and what differs. */
  readonly invoice: string;
  /** A billing period that is closed. */
  readonly close: string;
}

/** Parts of the documents that show the demo: lines of its page, and reports. */
export async function renderDemoExamples(): Promise<DemoExamples> {
  using demo = await RecordedDemo.record();
  const report = async (line: string) => demo.report(line.replace(/^report /, ''));
  const findings = firstLines(await report(findingLine), findingLines);
  const examples = {
    excerpt: renderExcerpt(demo.page),
    report: [
      renderConsole(costLine, await report(costLine)),
      renderConsole(`${findingLine} | head -${findingLines}`, findings),
    ].join('\n'),
    why: renderConsole(`${whyLine} | head -${whyLines}`, firstLines(await report(whyLine), whyLines)),
  };
  // Last, as other price books would re-price what is closed.
  return { ...examples, ...(await renderInvoice(demo)) };
}

function firstLines(text: string, count: number): string {
  return text.split('\n').slice(0, count).join('\n');
}

async function renderInvoice(demo: RecordedDemo): Promise<Pick<DemoExamples, 'invoice' | 'close'>> {
  const reconciled = await demo.reconcile(reconcileLine.replace(/^reconcile /, ''), invoice, invoiceConfig);
  const closed = await demo.close(closeLine.replace(/^close /, ''), invoiceConfig);
  return {
    invoice: [
      `\`\`\`yaml\n${invoiceConfig}\`\`\`\n`,
      `\`\`\`text\n${invoice}\`\`\`\n`,
      renderConsole(reconcileLine, reconciled),
    ].join('\n'),
    close: renderConsole(closeLine, closed),
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

/** The documents' example of `plan`: its command line and what it really prints, in Markdown. */
export async function renderPlanExample(): Promise<string> {
  const flags = ['--projects', '5000', '--requests-per-minute', '700'];
  const { io, printed } = makeFakeIo();
  const exitCode = await runCommandLine(io, ['plan', ...flags], [planCommand(io)]);
  if (exitCode !== 0) throw new Error(`plan ended with ${exitCode}: ${printed.stderr}`);
  return renderConsole(`plan ${flags.join(' ')}`, printed.stdout);
}

/** Markdown of a command line of the program and of what it printed. */
function renderConsole(line: string, printed: string): string {
  return ['```console', `$ npm start --silent -- ${line}`, `${printed.trimEnd()}`, '```', ''].join('\n');
}
