import { writeFileSync } from 'node:fs';
import { readGeneratedFiles } from './generated-files.ts';

for (const { path, current, wanted } of readGeneratedFiles()) {
  if (current === wanted) continue;
  writeFileSync(path, wanted);
  process.stdout.write(`${path} is up to date again\n`);
}
