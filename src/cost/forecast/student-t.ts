/**
 * How many standard errors away a bound is if the error is known from few observations: the quantile of Student's t by
 * its expansion in 1/ν (Abramowitz and Stegun 26.7.5).
 *
 * @param normal the same quantile of the normal distribution.
 */
export function widenForFew(normal: number, degreesOfFreedom: number): number {
  const freedom = Math.max(3, degreesOfFreedom);
  const first = (normal ** 3 + normal) / 4;
  const second = (5 * normal ** 5 + 16 * normal ** 3 + 3 * normal) / 96;
  return normal + first / freedom + second / freedom ** 2;
}
