import { describe, expect, it } from 'vitest';
import { acceptsGzip, negotiate } from '../../src/http/content/negotiation.ts';

const text = 'text/plain; version=0.0.4; charset=utf-8';
const openmetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const oldOpenmetrics = 'application/openmetrics-text; version=0.0.1; charset=utf-8';

const prometheus2 =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const prometheus3 =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
const prometheus3Text =
  'text/plain;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.5,application/openmetrics-text;version=1.0.0;q=0.4,*/*;q=0.2';
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('what is answered to', () => {
  it.each([
    ['no header', undefined, text],
    ['an empty header', '', text],
    ['curl', '*/*', text],
    ['a browser', browser, text],
    ['Prometheus 2.42', prometheus2, openmetrics],
    ['Prometheus 3', prometheus3, openmetrics],
    ['Prometheus 3 told to prefer text', prometheus3Text, text],
    ['OpenMetrics without a version', 'application/openmetrics-text', openmetrics],
    ['OpenMetrics 0.0.1', 'application/openmetrics-text; version=0.0.1', oldOpenmetrics],
    ['OpenMetrics of a version to come', 'application/openmetrics-text;version=2.0.0', text],
    ['a version in quotes', 'application/openmetrics-text; version="1.0.0"', openmetrics],
    ['capitals', 'APPLICATION/OpenMetrics-Text; Version=1.0.0', openmetrics],
    ['OpenMetrics refused by q=0', 'application/openmetrics-text;q=0,text/plain', text],
    ['OpenMetrics refused by q=0.000', 'application/openmetrics-text;q=0.000', text],
    ['text at least as much, named first', 'text/plain, application/openmetrics-text', text],
    ['OpenMetrics at least as much, named first', 'application/openmetrics-text, text/plain', openmetrics],
    ['OpenMetrics more than text', 'text/plain;q=0.3, application/openmetrics-text;q=0.31', openmetrics],
    ['any text more than OpenMetrics', 'application/openmetrics-text;q=0.5, text/*;q=0.6', text],
    ['a q that is no number', 'application/openmetrics-text;q=high', text],
    ['a q without a value', 'application/openmetrics-text;q=', text],
    ['a negative q', 'application/openmetrics-text;q=-1', text],
    ['protobuf alone', 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily', text],
    ['commas and semicolons alone', ',;,;;q=1,', text],
  ])('%s', (_, accept, contentType) => {
    const format = contentType === text ? 'text' : 'openmetrics';
    expect(negotiate(accept)).toEqual({ format, contentType });
  });
});

describe('gzip', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['GZIP;Q=0.1', true],
    ['deflate, br;q=1.0, *;q=0.5', true],
    ['gzip, identity', true],
    ['gzip;q=0.5, identity;q=0.6', false],
    ['*;q=0', false],
    ['*, gzip;q=0', false],
    ['gzip;q=nonsense', false],
    ['x-gzip-like', false],
    [',;,q=1', false],
  ])('is taken by %s: %s', (acceptEncoding, expected) => {
    expect(acceptsGzip(acceptEncoding)).toBe(expected);
  });
});
