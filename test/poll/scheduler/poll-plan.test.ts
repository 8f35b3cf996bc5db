import { describe, expect, it } from 'vitest';
import { type PlanTerms, planPolls } from '../../../src/poll/scheduler/poll-plan.ts';
import { collectors } from '../../../src/resources/collector.ts';

const minuteMs = 60_000;

const smallFleet: PlanTerms = {
  projects: 100,
  busyShare: 0.1,
  pageSize: 400,
  requestsPerMinute: 300,
  scheduleMs: 10_000,
  idleRefreshMs: 15 * minuteMs,
  apiKeysRefreshMs: 5 * minuteMs,
  collectors,
};

/** This rate is 300 in any minute, where 15 come at once and each may be a second late. */
const sustained = (286 * 60) / 61;

describe('the plan for a request budget', () => {
  it('allows all that is wanted when it is enough', () => {
    const { wanted, allowed, ...plan } = planPolls(smallFleet);
    expect(wanted).toEqual({ lists: 6, keys: 0.2, changed: 2, busy: 120, idle: 12 });
    expect(allowed).toEqual(wanted);
    expect(plan).toEqual({
      wantedPerMinute: 140.2,
      allowedPerMinute: 140.2,
      listPollIntervalMs: 10_000,
      pageIntervalMs: 10_000,
      startNoticedMs: { p50: 6_500, p99: 12_500 },
      busyAgeMs: { p50: 5_000, p99: 10_000 },
      idleIntervalMs: 15 * minuteMs,
      partialPolls: false,
    });
  });

  it('counts a request a minute for the use of each that is awake, where it is read for itself, and one more at the end', () => {
    const { wanted } = planPolls({ ...smallFleet, readsUse: true });
    expect(wanted).toEqual({ lists: 6, keys: 0.2, changed: 3.5, busy: expect.closeTo(130), idle: 12 });
    const rarely = planPolls({ ...smallFleet, readsUse: true, scheduleMs: 2 * minuteMs });
    expect(rarely.wanted.busy).toBe((10 * 3) / 2);
    const { wanted: listed } = planPolls({ ...smallFleet, readsUse: true, collectors: ['projects'] });
    expect([listed.changed, listed.busy]).toEqual([0, 0]);
  });

  it('never allows more than the budget, and those at rest keep their share', () => {
    const plan = planPolls({ ...smallFleet, projects: 20_000 });
    expect(plan.wantedPerMinute).toBeGreaterThan(24_000);
    expect(plan.allowedPerMinute).toBeCloseTo(sustained);
    expect(plan.allowed.idle / (sustained - plan.allowed.lists - plan.allowed.keys)).toBeCloseTo(0.17);
    expect(plan.partialPolls).toBe(true);
  });

  it('has projects at rest wait for what busy ones leave of the budget', () => {
    const fleet = { ...smallFleet, projects: 1000, requestsPerMinute: 1500, idleRefreshMs: 2 * minuteMs };
    const idleIntervalMs = (busyShare: number) => planPolls({ ...fleet, busyShare }).idleIntervalMs;
    expect(idleIntervalMs(0.068)).toBe(2 * minuteMs);
    // Of 1,456.7 a minute, 18.2 are for lists and 1,012.6 for 83 busy projects; 917 at rest take 1.25 each.
    expect(idleIntervalMs(0.083)).toBeCloseTo((917 * 1.25 * minuteMs) / 425.9, -2);
  });

  it('has busy projects keep their share though more projects change than can be read', () => {
    const { allowed } = planPolls({ ...smallFleet, projects: 50_000, requestsPerMinute: 300 });
    const forProjects = sustained - allowed.lists - allowed.keys;
    expect(allowed.busy / forProjects).toBeCloseTo(0.15);
    expect(allowed.changed / forProjects).toBeCloseTo(0.68);
  });

  it('lets lists take no more than three tenths of the budget', () => {
    const plan = planPolls({ ...smallFleet, projects: 20_000 });
    expect(plan.allowed.lists).toBeCloseTo(90);
    expect(plan.listPollIntervalMs).toBeCloseTo(33_333, -1);
  });

  it('expects starts to be noticed later by as much as the list is behind', () => {
    const { startNoticedMs } = planPolls({ ...smallFleet, listLagMs: minuteMs });
    expect(startNoticedMs).toEqual({ p50: 66_500, p99: 72_500 });
  });

  it('has an answer for an account without projects', () => {
    const plan = planPolls({ ...smallFleet, projects: 0 });
    expect(plan.wantedPerMinute).toBe(6.2);
    expect(plan.busyAgeMs).toEqual({ p50: 5_000, p99: 10_000 });
  });
});
