/** Fields of the service whose values are held back when they cannot be true. */
export const implausibleFields = [
  'cpu_used_sec',
  'created_at',
  'updated_at',
  'last_active',
  'last_used_at',
] as const;
export type ImplausibleField = (typeof implausibleFields)[number];

/** A value of the service that cannot be true. */
export interface ImplausibleValue {
  readonly field: ImplausibleField;
  /** The id of the project or the key that has it. */
  readonly id: string;
  /** Compute seconds, or an instant in epoch milliseconds. */
  readonly value: number;
}
