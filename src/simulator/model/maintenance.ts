import { connect } from './endpoint-life.ts';
import { beginOperation, type OperationOrder } from './operation.ts';
import { liveEndpoints, type SimulatedEndpoint, type SimulatedProject } from './project.ts';
import { createRandom, type Random } from './random.ts';

const day = 86_400;

/**
 * Runs the control plane's own work: each endpoint's branch is checked about once a day, and now and then somebody
 * changes a database user, which shows as apply_config. A branch without an endpoint is not checked.
 *
 * @param checksWake whether a check finds out that the endpoint can start by starting it
 */
export function startMaintenance(
  endpoint: SimulatedEndpoint,
  seed: number,
  { checksWake = false } = {},
): void {
  const random = createRandom(seed, endpoint.id, 'maintenance');
  repeat(endpoint, () => random.integer(0.9 * day, 1.1 * day), {
    action: 'check_availability',
    order: () => drawCourse(random, 0.01),
    ...(checksWake && { alongside: () => connect(endpoint, 0) }),
  });
  repeat(endpoint, () => random.integer(day, 9 * day), {
    action: 'apply_config',
    order: () => drawCourse(random, 0.02),
  });
}

/** Leaves an operation hanging in `scheduling` or `running` from `second` on. */
export function scheduleStuckOperation(project: SimulatedProject, second: number): void {
  project.timeline.schedule(second, () => {
    const endpoint = liveEndpoints(project)[0];
    if (project.deletedAt !== undefined || endpoint === undefined) return;
    const waitSeconds = project.random.chance(0.5) ? Number.POSITIVE_INFINITY : 0;
    const action = project.random.pick(['check_availability', 'apply_config']);
    beginOperation(project, { action, branchId: endpoint.branch.id, endpoint, waitSeconds });
  });
}

type Course = Pick<OperationOrder, 'waitSeconds' | 'totalSeconds' | 'fails' | 'failuresCount'>;

function repeat(
  endpoint: SimulatedEndpoint,
  drawInterval: () => number,
  task: {
    readonly action: 'check_availability' | 'apply_config';
    readonly order: () => Course;
    readonly alongside?: () => void;
  },
): void {
  const { project } = endpoint;
  project.timeline.schedule(project.timeline.now + drawInterval(), () => {
    if (endpoint.deletedAt !== undefined) return;
    beginOperation(project, {
      action: task.action,
      branchId: endpoint.branch.id,
      endpoint,
      ...task.order(),
    });
    task.alongside?.();
    repeat(endpoint, drawInterval, task);
  });
}

/** Most go well at once, some after failed attempts, some not at all. */
function drawCourse(random: Random, failing: number): Course {
  const draw = random.fraction();
  const totalSeconds = random.integer(2, 6);
  if (draw < failing)
    return { waitSeconds: 1, totalSeconds: totalSeconds + 60, fails: true, failuresCount: 3 };
  if (draw < failing + 0.03) {
    return { waitSeconds: 1, totalSeconds: totalSeconds + 15, failuresCount: random.integer(1, 2) };
  }
  return { waitSeconds: 1, totalSeconds };
}
