import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { type Download, describeFile, downloads } from '../page/report/report-download.ts';
import type { AnyPage } from '../page.ts';
import { parametersOf } from '../query.ts';
import { apiRoot } from '../route.ts';

/** The document of `/api/v1`, made from the schemas that read every request and check every answer. */
export async function describeApi(pages: readonly AnyPage[]): Promise<object> {
  const files = downloads.map(async each => [apiRoot + each.apiPath, { get: await describeDownload(each) }]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'dbpm-exporter',
      version: '1',
      summary:
        'The figures behind the console: read-only. Decimal numbers are texts, so that none loses a digit.',
    },
    paths: Object.fromEntries([
      ...pages.map(page => [apiRoot + page.apiPath, { get: describePage(page) }]),
      ...(await Promise.all(files)),
    ]),
    components: { schemas: { Problem: problemSchema } },
  };
}

const problemSchema = {
  type: 'object',
  description: 'A problem as RFC 9457 has it.',
  required: ['type', 'title', 'status', 'detail', 'possible'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    possible: { type: 'array', items: { type: 'string' } },
  },
};

function describePage({ answer, ...page }: AnyPage): object {
  return describePlace(page, { 'application/json': { schema: withoutDialect(answer, 'output') } });
}

async function describeDownload(download: Download): Promise<object> {
  const { summary, answers } = await describeFile(download);
  const content = Object.entries(answers).map(([type, schema]) => [type, { schema }]);
  return describePlace({ ...download, summary }, Object.fromEntries(content));
}

function describePlace(
  { summary, apiPath, query }: Pick<AnyPage, 'summary' | 'apiPath' | 'query'>,
  content: object,
): object {
  const problem = (description: string) => ({
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  });
  return {
    summary,
    operationId: apiPath.replaceAll(/[{}]/g, '').split('/').filter(Boolean).join('_'),
    parameters: describeParameters(apiPath, query),
    responses: {
      200: { description: summary, headers: { ETag: { schema: { type: 'string' } } }, content },
      304: { description: 'The answer is the one that If-None-Match names.' },
      400: problem('A parameter is wrong; it says what was found and what is possible.'),
      404: problem('There is no such thing.'),
      503: problem('It cannot be worked out now.'),
    },
  };
}

function describeParameters(apiPath: string, query: GenericSchema): readonly object[] {
  const { properties = {}, required = [] } = withoutDialect(query, 'input') as {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
  return parametersOf(query).map(name => ({
    name,
    in: apiPath.includes(`{${name}}`) ? 'path' : 'query',
    required: required.includes(name),
    schema: properties[name] ?? {},
  }));
}

function withoutDialect(schema: GenericSchema, typeMode: 'input' | 'output'): object {
  const { $schema: _dialect, ...rest } = toJsonSchema(schema as never, {
    typeMode,
    target: 'draft-2020-12',
    errorMode: 'ignore',
    // A field that may be left out on the way to an answer is null in it.
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      typeMode === 'output' && 'entries' in valibotSchema
        ? { ...jsonSchema, required: Object.keys(valibotSchema.entries as object) }
        : undefined,
  });
  return rest;
}
