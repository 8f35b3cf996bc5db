import { expect, test } from 'vitest';
import { readShellLines } from './shell-line.ts';

test('a block is lines of commands with words, without quotes, comments and continuations', () => {
  const block = `# what it does
npm ci && npm run demo   # both
export KEY="$(cat /run/key)"

curl -d '{"a": 1}' "$URL/x?y=1" |
  jq '.x[] | .y'
docker run \\
  -p 1:1 image
dbpm-exporter rules > rules.yml
ask() { promtool query instant "$PROMETHEUS" "$1"; }
`;
  expect(readShellLines(block).map(({ commands }) => commands)).toEqual([
    [{ words: ['npm', 'ci'] }, { words: ['npm', 'run', 'demo'] }],
    [{ words: ['export', 'KEY=$(cat /run/key)'] }],
    [{ words: ['curl', '-d', '{"a": 1}', '$URL/x?y=1'] }, { words: ['jq', '.x[] | .y'] }],
    [{ words: ['docker', 'run', '-p', '1:1', 'image'] }],
    [{ words: ['dbpm-exporter', 'rules'], output: 'rules.yml' }],
    [{ words: ['ask()'] }],
  ]);
});
