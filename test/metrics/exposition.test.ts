import { describe, expect, it } from 'vitest';
import {
  renderBound,
  renderHeader,
  renderHistogram,
  renderLabels,
  renderSample,
} from '../../src/metrics/page/exposition.ts';

describe('labels', () => {
  it.each([
    ['a plain word', 'idle', 'state="idle"'],
    ['nothing', '', 'state=""'],
    ['quotes', 'say "hi"', 'state="say \\"hi\\""'],
    ['a backslash', 'C:\\temp', 'state="C:\\\\temp"'],
    ['a backslash before an n', '\\n', 'state="\\\\n"'],
    ['a line break', 'one\ntwo', 'state="one\\ntwo"'],
    ['a carriage return and a tab, which need no escape', '\r\t', 'state="\r\t"'],
    ['emoji', '🐘 Ünï', 'state="🐘 Ünï"'],
    ['what looks like the end of the labels', '"} 1', 'state="\\"} 1"'],
  ])('carry %s', (_, value, expected) => {
    expect(renderLabels(['state'], [value])).toBe(expected);
  });

  it('stand in the order they are given, an absent value as an empty one', () => {
    expect(renderLabels(['b', 'a', 'c'], ['1', '2'])).toBe('b="1",a="2",c=""');
  });
});

describe('a sample', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [1.5, '1.5'],
    [-3, '-3'],
    [1_767_225_690.25, '1767225690.25'],
    [9_007_199_254_740_991, '9007199254740991'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [Number.NaN, 'NaN'],
  ])('of %d is written %s', (value, expected) => {
    expect(renderSample('dbpm_up', 'account="main"', value)).toBe(`dbpm_up{account="main"} ${expected}\n`);
  });

  it('without labels has no braces', () => {
    expect(renderSample('process_open_fds', '', 21)).toBe('process_open_fds 21\n');
  });
});

describe('a header', () => {
  const counter = { name: 'dbpm_cpu_seconds_total', type: 'counter', help: 'Of "it", a\\b\nc.' } as const;

  it('of text is HELP then TYPE, with quotes as they are', () => {
    expect(renderHeader(counter, 'text')).toBe(
      '# HELP dbpm_cpu_seconds_total Of "it", a\\\\b\\nc.\n# TYPE dbpm_cpu_seconds_total counter\n',
    );
  });

  it('of OpenMetrics is TYPE, UNIT, HELP of the family, without _total and with quotes escaped', () => {
    expect(renderHeader(counter, 'openmetrics')).toBe(
      '# TYPE dbpm_cpu_seconds counter\n# UNIT dbpm_cpu_seconds seconds\n# HELP dbpm_cpu_seconds Of \\"it\\", a\\\\b\\nc.\n',
    );
  });

  it('has a UNIT only where the name ends in one', () => {
    const gauge = { type: 'gauge', help: 'Help.' } as const;
    expect(renderHeader({ ...gauge, name: 'dbpm_history_size_bytes' }, 'openmetrics')).toBe(
      '# TYPE dbpm_history_size_bytes gauge\n# UNIT dbpm_history_size_bytes bytes\n# HELP dbpm_history_size_bytes Help.\n',
    );
    expect(renderHeader({ ...gauge, name: 'dbpm_seconds_left' }, 'openmetrics')).toBe(
      '# TYPE dbpm_seconds_left gauge\n# HELP dbpm_seconds_left Help.\n',
    );
  });
});

describe('a histogram', () => {
  const value = { cumulativeCounts: [1, 3], count: 4, sum: 12.5 };

  it('is its buckets with le last, the one of +Inf, the sum and the count', () => {
    expect(renderHistogram('took_seconds', 'action="a"', [0.5, 10], value)).toBe(
      [
        'took_seconds_bucket{action="a",le="0.5"} 1\n',
        'took_seconds_bucket{action="a",le="10.0"} 3\n',
        'took_seconds_bucket{action="a",le="+Inf"} 4\n',
        'took_seconds_sum{action="a"} 12.5\n',
        'took_seconds_count{action="a"} 4\n',
      ].join(''),
    );
  });

  it('without labels has le alone', () => {
    expect(renderHistogram('took_seconds', '', [1], { cumulativeCounts: [2], count: 2, sum: 1 })).toBe(
      'took_seconds_bucket{le="1.0"} 2\ntook_seconds_bucket{le="+Inf"} 2\ntook_seconds_sum 1\ntook_seconds_count 2\n',
    );
  });

  it.each([
    [1, '1.0'],
    [86_400, '86400.0'],
    [0.025, '0.025'],
  ])('writes the bound %d as the float %s', (bound, expected) => {
    expect(renderBound(bound)).toBe(expected);
  });
});
