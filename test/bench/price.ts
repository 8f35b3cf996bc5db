/** Prices and groups that make a bill take all the work that it usually takes. */
export const prices = `pricing:
  currency: EUR
  plans:
    - name: all
      prices:
        - {from: 2020-01-01, per_compute_hour: 0.16}
      included: {compute_hours: 300, per: account}
      minimum: 19
groups:
  team:
    some: {projects: ["*1*"]}
`;
