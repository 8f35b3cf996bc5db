import { History } from '../../src/history/history.ts';
import { collectors } from '../../src/resources/collector.ts';
import {
  projectReading,
  projectsReading,
  startAt,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

/** Records readings too large for SQLite to keep what it may have to take back of them in its usual memory. */
const [file = ''] = process.argv.slice(2);
const history = new History({ file, accounts: ['main'], collectors, staleAfterMs: 1, dropAfterMs: 1 });
const projects = Array.from({ length: 3000 }, (_, index) => wireProject(`p${index}`));
history.commitOne(projectsReading(startAt, projects));
const operations = Array.from({ length: 3000 }, (_, index) => wireOperation(`o${index}`));
history.commitOne(projectReading(startAt, 'p1', { endpoints: [], operations }));
for (let step = 0; history.upkeep(startAt) && step < 100; step += 1);
console.log('recorded');
history.close();
