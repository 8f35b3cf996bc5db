/** The format that an `Accept` header of a scraper asks for. */
export interface Negotiated {
  readonly format: 'text' | 'openmetrics';
  readonly contentType: string;
}

interface Range {
  readonly type: string;
  readonly version: string | undefined;
  readonly quality: number;
}

const text: Negotiated = { format: 'text', contentType: 'text/plain; version=0.0.4; charset=utf-8' };

/**
 * Text 0.0.4 unless OpenMetrics is wanted at least as much; the first range with the highest quality wins.
 * Prometheus 3 refuses a Content-Type it did not ask for, so the version is the one that was asked for.
 */
export function negotiate(accept: string | undefined): Negotiated {
  const ranges = (accept ?? '').split(',').map(parseRange);
  const best = ranges
    .filter(range => range.quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(offer)
    .find(offered => offered !== undefined);
  return best ?? text;
}

/** Whether to answer with gzip: where it is accepted, and an uncompressed answer is not preferred. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const ranges = (acceptEncoding ?? '').split(',').map(parseRange);
  const qualityOf = (coding: string) => ranges.find(({ type }) => type === coding)?.quality;
  const quality = qualityOf('gzip') ?? qualityOf('*') ?? 0;
  return quality > 0 && quality >= (qualityOf('identity') ?? 0);
}

/** Whether HTML is asked for by its name, as browsers do; what takes anything gets a line of text. */
export function acceptsHtml(accept: string | undefined): boolean {
  return (accept ?? '')
    .split(',')
    .map(parseRange)
    .some(({ type, quality }) => type === 'text/html' && quality > 0);
}

function offer({ type, version }: Range): Negotiated | undefined {
  if (type === 'application/openmetrics-text' && ['1.0.0', '0.0.1', undefined].includes(version)) {
    return {
      format: 'openmetrics',
      contentType: `application/openmetrics-text; version=${version ?? '1.0.0'}; charset=utf-8`,
    };
  }
  const takesText = type === 'text/plain' && (version === undefined || version === '0.0.4');
  return takesText || type === 'text/*' || type === '*/*' ? text : undefined;
}

function parseRange(range: string): Range {
  const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase());
  const value = (name: string) =>
    parameters
      .find(parameter => parameter.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .replaceAll('"', '');
  const quality = Number(value('q') ?? 1);
  return { type, version: value('version'), quality: Number.isFinite(quality) ? quality : 0 };
}
