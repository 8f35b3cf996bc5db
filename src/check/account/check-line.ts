/** How a part of a check ended; what was not asked, or cannot be told, is left out. */
export type CheckStatus = 'ok' | 'warning' | 'failed' | 'left_out';

/** One line of a check. What failed says what to do about it. */
export interface CheckLine {
  readonly check: string;
  readonly status: CheckStatus;
  readonly says: string;
}

/** The ways a check is written. */
export const checkFormats = ['table', 'json'] as const;
export type CheckFormat = (typeof checkFormats)[number];
