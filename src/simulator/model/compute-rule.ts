import type { SimulatedPlan } from './blueprint.ts';
import { defaultSettings } from './endpoint.ts';
import type { EndpointSettings } from './project.ts';
import { Refusal } from './refusal.ts';

/** The settings of an endpoint in a create or update request; absent where it does not mention them. */
export type EndpointChange = Partial<EndpointSettings>;

const maximumSuspendSeconds = 86_400;

/** Settings of a new endpoint; one size alone means a fixed size. Throws a `Refusal` that names the broken rule. */
export function initialSettings(change: EndpointChange, plan: SimulatedPlan): EndpointSettings {
  const given = change.minCu ?? change.maxCu ?? defaultSettings.minCu;
  const settings = { ...defaultSettings, minCu: given, maxCu: given, ...change };
  checkPlan(defaultSettings, settings, plan);
  checkSizes(settings);
  checkSuspendTimeout(settings);
  return settings;
}

/** Settings after an update. Throws a `Refusal` that names the broken rule. */
export function changedSettings(
  present: EndpointSettings,
  change: EndpointChange,
  plan: SimulatedPlan,
): EndpointSettings {
  const settings = { ...present, ...change };
  checkPlan(present, settings, plan);
  checkSizes(settings);
  checkSuspendTimeout(settings);
  if (isFixed(present) !== isFixed(settings)) {
    throw new Refusal(
      400,
      'switching an endpoint between fixed size and autoscaling is not supported: create another endpoint',
    );
  }
  return settings;
}

function isSameCompute(left: EndpointSettings, right: EndpointSettings): boolean {
  return (
    left.minCu === right.minCu &&
    left.maxCu === right.maxCu &&
    left.suspendTimeoutSeconds === right.suspendTimeoutSeconds
  );
}

function isFixed({ minCu, maxCu }: EndpointSettings): boolean {
  return minCu === maxCu;
}

function checkPlan(present: EndpointSettings, wanted: EndpointSettings, plan: SimulatedPlan): void {
  if (plan === 'paid' || isSameCompute(present, wanted)) return;
  throw new Refusal(400, 'changing compute size or auto-suspend is available to paid plans only');
}

function checkSizes({ minCu, maxCu }: EndpointSettings): void {
  for (const size of [minCu, maxCu]) {
    if (size < 0.25 || size > 7) {
      throw new Refusal(400, `a compute endpoint can have from 0.25 CU to 7 CU, not ${size} CU`);
    }
    if (!Number.isInteger(size * 4)) {
      throw new Refusal(400, `a compute size is a multiple of 0.25 CU, which ${size} CU is not`);
    }
  }
  if (minCu > maxCu) {
    throw new Refusal(
      400,
      `autoscaling_limit_min_cu (${minCu}) must not be larger than autoscaling_limit_max_cu (${maxCu})`,
    );
  }
  if (minCu !== maxCu && minCu < 1) {
    throw new Refusal(
      400,
      `autoscaling supports 1 CU to 7 CU only, so a minimum of ${minCu} CU needs the same maximum (a fixed size)`,
    );
  }
}

function checkSuspendTimeout({ suspendTimeoutSeconds: seconds }: EndpointSettings): void {
  if (Number.isInteger(seconds) && seconds >= -1 && seconds <= maximumSuspendSeconds) return;
  throw new Refusal(
    400,
    `suspend_timeout_seconds is a whole number of seconds up to ${maximumSuspendSeconds}, 0 for the default of 300, ` +
      `or -1 for never, not ${seconds}`,
  );
}
