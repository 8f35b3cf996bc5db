import { text as readText } from 'node:stream/consumers';
import { getHeapSnapshot } from 'node:v8';
import { expect, test } from 'vitest';
import { SharedText, type StoredProject } from '../../src/history/snapshot/stored-project.ts';

/** A text of its own, as one that was read from a file or a message is. */
const read = (text: string) => Buffer.from(text).toString();

function readProject(index: number, region = 'eu-central-1'): StoredProject {
  const project_id = `calm-frost-${index}`;
  const place = { region_id: read(region), proxy_host: read('eu-central-1.db.example') };
  return {
    project_ref: index,
    project: { project_id, ...place, platform_id: read('aws'), pg_version: read('17') },
    endpoints: [
      {
        account: 'main',
        project_id,
        endpoint_id: `ep-${index}`,
        ...place,
        type: read('read_write'),
        current_state: read('idle'),
        stateDurations: [{ state: read('active'), durationMs: 1 }],
      },
    ],
    operations: {
      ended: [{ action: read('start_compute'), status: read('finished'), count: 1, lastEndedAt: 1 }],
      attemptFailures: [{ action: read('start_compute'), count: 1 }],
      inProgress: [],
    },
    progress: {},
    openIds: [],
  };
}

/** How many strings on the heap are of a kind, by what they say. */
async function countTexts(...kinds: readonly RegExp[]): Promise<readonly number[]> {
  const { snapshot, nodes, strings } = JSON.parse(await readText(getHeapSnapshot()));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [typeAt, nameAt] = [fields.indexOf('type'), fields.indexOf('name')];
  const counts = kinds.map(() => 0);
  for (let node = 0; node < nodes.length; node += fields.length) {
    if (types[typeAt][nodes[node + typeAt]] !== 'string') continue;
    const kind = kinds.findIndex(each => each.test(strings[nodes[node + nameAt]]));
    if (kind >= 0) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

test('projects say the same with texts in common as without', () => {
  const texts = new SharedText();
  const projects = [1, 2, 3].map(index => readProject(index));
  for (const project of projects) texts.shareAll(project);
  expect(projects).toEqual([1, 2, 3].map(index => readProject(index)));
});

test('a text that many projects have is kept once, and one that never comes twice is not kept for good', async () => {
  const texts = new SharedText();
  // What is looked for is put together, so as not to be found here.
  const apart = Array.from({ length: 200 }, (_, index) => readProject(index, ['apart', 'region'].join('-')));
  const together = Array.from({ length: 200 }, (_, index) => {
    const project = readProject(index, ['together', 'region'].join('-'));
    texts.shareAll(project);
    return project;
  });
  for (let index = 0; index < 50_000; index += 1) {
    texts.shareAll({
      ...readProject(index),
      project: { project_id: 'x', proxy_host: read(`host-${index}`) },
    });
  }
  const [ofOwn, ofAll, hosts] = await countTexts(/^apart-region$/, /^together-region$/, /^host-\d+$/);
  expect([apart.length, together.length]).toEqual([200, 200]);
  expect([ofOwn, ofAll]).toEqual([200, 1]);
  expect(hosts).toBeLessThanOrEqual(10_000);
  // They were held until now.
  texts.shareAll(readProject(1));
});
