import { expect, test } from 'vitest';
import { readReportHistories } from '../../src/history/merge/report-reading.ts';
import { deleteProject, liveProjects } from '../../src/simulator/model/account.ts';
import { cpuUsedSecondsEver, setCpuUsed } from '../../src/simulator/model/endpoint.ts';
import type { SimulatedProject } from '../../src/simulator/model/project.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { showProject } from '../../src/simulator/model/wire-form.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { casesOf } from '../support/seed.ts';

const day = 86_400;
const begin = Date.UTC(2026, 9, 1) / 1000;
const pace = { listEverySeconds: 600, projectsEvery: 3 };
/** Less than a hundredth of an hour each time is not told. */
const slackCuMs = 12 * 36_000;

test.each(casesOf(21, 22, 23, 24))(
  'what is hidden by resets and deletions while nobody watched is within the bounds of its gap (seed %i)',
  seed => {
    using life = new LivedHistory({ now: begin, seed, projects: 8, historyDays: 10 });
    const random = createRandom(seed, 'gaps');
    const deleted = new Set<string>();
    const unseen = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      life.watch(random.integer(2, 10) * 1800, pace);
      const readBefore = new Map(liveProjects(life.account).map(each => [each.id, readCounter(each)]));
      const setBack: SimulatedProject[] = [];
      life.restart();
      life.miss(random.integer(1, 24) * 1800);
      for (const project of liveProjects(life.account)) {
        if (random.chance(0.2)) {
          setCpuUsed(project, 0);
          setBack.push(project);
        } else if (random.chance(0.04)) {
          deleteProject(project);
          deleted.add(project.id);
        }
      }
      life.miss(random.integer(1, 24) * 1800);
      // A reset after which more was used than before it cannot be seen.
      for (const project of setBack) {
        if (readCounter(project) >= (readBefore.get(project.id) ?? 0)) unseen.add(project.id);
      }
    }
    life.watch(day / 4, pace);

    const gapsByProject = readReportHistories(
      [life.folder.file],
      accounts => accounts,
      ({ usage, gaps }) =>
        usage.projects.map(project => ({
          project_id: project.project_id,
          gaps: gaps.read(project, { fromAt: begin * 1000, untilAt: life.now }),
          used: usage.usedUntil(project.project_ref, life.now),
        })),
    );
    let bounded = 0;
    for (const { project_id, gaps, used } of gapsByProject ?? []) {
      const project = life.account.projects.get(project_id);
      if (project === undefined || unseen.has(project_id)) continue;
      const hidden = cpuUsedSecondsEver(project) * 1000 - used;
      const most = gaps.reduce((sum, { mostCuMs = Number.POSITIVE_INFINITY }) => sum + mostCuMs, 0);
      expect({ project_id, isWithin: hidden <= most + slackCuMs, hidden, most }).toMatchObject({
        isWithin: true,
      });
      if (hidden > slackCuMs) bounded += 1;
      expect(gaps.some(({ kind }) => kind === 'project_deleted')).toBe(deleted.has(project_id));
    }
    expect(bounded).toBeGreaterThan(2);
  },
);

function readCounter(project: SimulatedProject): number {
  return showProject(project).cpu_used_sec;
}
