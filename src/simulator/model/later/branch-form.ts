import type { SimulatedAccount } from '../account.ts';
import { hourOf, sumHours, sumOver } from '../meter/hour-series.ts';
import {
  type BranchMeter,
  initialBytes,
  type ProjectMeter,
  privateBytesIn,
  publicBytesIn,
  writtenBytesIn,
} from '../meter/project-meter.ts';
import type { Branch, SimulatedProject } from '../project.ts';
import { hash } from '../random.ts';
import { formatSecond } from '../timestamp.ts';
import { periodOf, readMeter, requireLater } from './metering.ts';

const day = 86_400;

/** The branches of a project, each with what was used on it in the present period; the first one is the root. */
export function showBranches(account: SimulatedAccount, project: SimulatedProject) {
  readMeter(account, project);
  const { meter } = requireLater(project);
  return project.branches.flatMap((branch, index) => {
    const used = meter.branches.get(branch.id);
    return used === undefined ? [] : [showBranch(account, project, branch, used, index === 0)];
  });
}

function showBranch(
  { timeline }: SimulatedAccount,
  project: SimulatedProject,
  { id, name }: Branch,
  branch: BranchMeter,
  isRoot: boolean,
) {
  const { meter } = requireLater(project);
  const [root] = project.branches;
  const { firstHour } = periodOf(timeline.now);
  const endHour = hourOf(timeline.now) + 1;
  const sum = (count: (hour: number) => number) => sumHours(firstHour, endHour, count);
  const isMade = timeline.now - branch.createdAt >= 2;
  return {
    id,
    project_id: project.id,
    ...(!isRoot && { parent_id: root?.id }),
    name,
    current_state: isMade ? 'ready' : 'init',
    logical_size: logicalBytes(meter, branch, hourOf(timeline.now)),
    written_data_bytes: sum(hour => writtenBytesIn(branch, hour)),
    data_transfer_bytes: sum(hour => publicBytesIn(branch, hour) + privateBytesIn(branch, hour, meter)),
    compute_time_seconds: Math.floor(sumOver(branch.quarterCuSeconds, firstHour, endHour) / 4),
    active_time_seconds: sumOver(branch.activeSeconds, firstHour, endHour),
    default: isRoot,
    protected: isRoot && hash(id, 'protected') % 2 === 0,
    creation_source: 'console',
    created_at: formatSecond(branch.createdAt),
    updated_at: formatSecond(branch.createdAt),
    ...showExpiry(branch, isRoot),
  };
}

/** One child branch in four is to expire, within a month of its creation. */
function showExpiry({ id, createdAt }: BranchMeter, isRoot: boolean) {
  const salt = hash(id, 'expiry');
  if (isRoot || salt % 4 !== 0) return {};
  return { expires_at: formatSecond(createdAt + day * (1 + (salt % 29))) };
}

/** What the databases of a branch hold when the hour begins: a child begins with what its parent held. */
function logicalBytes(meter: ProjectMeter, branch: BranchMeter, hour: number): number {
  const [root = branch] = meter.branches.values();
  const kept = (of: BranchMeter, from: number, to: number) =>
    sumHours(from, to, each => Math.floor(writtenBytesIn(of, each) / 4));
  const added = (to: number) =>
    sumOver(meter.added.root_branch_bytes, meter.added.root_branch_bytes.firstHour, to);
  const rootBytes = (at: number) => initialBytes(meter) + kept(root, hourOf(root.createdAt), at) + added(at);
  if (branch === root) return rootBytes(hour);
  const bornAt = hourOf(branch.createdAt);
  return rootBytes(bornAt) + kept(branch, bornAt, hour);
}
