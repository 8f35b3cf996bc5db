import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { SharedText } from '../../src/history/view/shared-text.ts';
import type { StoredProject } from '../../src/history/view/stored-project.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** A text of its own, as one that was read from a file or a message is. */
const read = (text: string) => Buffer.from(text).toString();

function readProject(index: number): StoredProject {
  const project_id = `calm-frost-${index}`;
  const place = { region_id: read('eu-central-1'), proxy_host: read('eu-central-1.db.example') };
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

function heldBytes(count: number, use: (project: StoredProject) => void): number {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const projects = Array.from({ length: count }, (_, index) => readProject(index));
  for (const project of projects) use(project);
  collectGarbage();
  const held = process.memoryUsage().heapUsed - before;
  return projects.length === count ? held : 0;
}

test('projects say the same with texts in common as without', () => {
  const texts = new SharedText();
  const projects = [1, 2, 3].map(readProject);
  for (const project of projects) texts.shareAll(project);
  expect(projects).toEqual([1, 2, 3].map(readProject));
});

test('a text that many projects have is kept once', () => {
  const texts = new SharedText();
  // So many that what else comes to lie on the heap meanwhile weighs little.
  const count = 20_000;
  const apart = heldBytes(count, () => {});
  const together = heldBytes(count, project => texts.shareAll(project));
  // Ten texts of some 24 bytes each.
  expect(apart - together).toBeGreaterThan(count * 200);
});

test('texts that never come twice are not kept for good', () => {
  const texts = new SharedText();
  const held = heldBytes(1, () => {
    for (let index = 0; index < 50_000; index += 1) {
      texts.shareAll({
        ...readProject(index),
        project: { project_id: 'x', proxy_host: read(`host-${index}`) },
      });
    }
  });
  expect(held).toBeLessThan(2_000_000);
});
