/** One sample of an exposition. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the samples of a text or OpenMetrics exposition; throws on a line that is neither sample nor comment. */
export function readExposition(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(readSample);
}

/** The samples on the page of metrics of a server. @param url its root, without the last slash. */
export async function readSamples(url: string): Promise<readonly Sample[]> {
  return readExposition(await (await fetch(`${url}/metrics`)).text());
}

/** The value of the one sample with this name and at least these labels; undefined when there is none. */
export function sampleValue(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    sample =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  if (found.length > 1) throw new Error(`${name} ${JSON.stringify(labels)} names ${found.length} samples`);
  return found[0]?.value;
}

function readSample(line: string): Sample {
  const found = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/s.exec(line);
  if (found === null) throw new Error(`not a sample: ${line}`);
  const [, name = '', labels = '', value = ''] = found;
  return { name, labels: readLabels(labels), value: Number(value.replace('Inf', 'Infinity')) };
}

const unescaped: Readonly<Record<string, string>> = { '\\\\': '\\', '\\n': '\n', '\\"': '"' };

function readLabels(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([a-zA-Z_]\w*)="((?:\\.|[^"\\])*)"/g)) {
    labels[name] = value.replaceAll(/\\[\\n"]/g, found => unescaped[found] ?? found);
  }
  return labels;
}
