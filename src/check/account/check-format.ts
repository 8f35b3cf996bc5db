/** The ways a check is written. */
export const checkFormats = ['table', 'json'] as const;
export type CheckFormat = (typeof checkFormats)[number];
