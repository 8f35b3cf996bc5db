import { html, type Markup } from '../../part/html.ts';
import type { KeyAnswer } from './key-schema.ts';

const width = 240;
const middle = 9;

/** The life of a key along the time of all: made, until its last use, and silent since. */
export function keyLife(
  { created_at, last_used_at, gone_at }: KeyAnswer,
  { fromAt, untilAt }: { readonly fromAt: number; readonly untilAt: number },
): Markup | null {
  if (created_at === null) return null;
  const place = (at: number) =>
    Math.round((6 + ((width - 12) * (at - fromAt)) / Math.max(1, untilAt - fromAt)) * 10) / 10;
  const madeX = place(Date.parse(created_at));
  const usedX = last_used_at === null ? madeX : Math.max(madeX, place(Date.parse(last_used_at)));
  const endX = place(gone_at === null ? untilAt : Date.parse(gone_at));
  const until = last_used_at === null ? 'never used' : `last used ${last_used_at.slice(0, 10)}`;
  const label = `Made ${created_at.slice(0, 10)}, ${until}`;
  return html`<svg class="ch life" viewBox=${`0 0 ${width} ${2 * middle}`} role="img" aria-label=${label}><path class="gl" d=${`M6 ${middle}H${width - 6}`} /><rect x=${usedX} y=${middle - 3} width=${Math.max(0, endX - usedX)} height="6" fill="url(#hm)" />${usedX > madeX && html`<rect class="fd" x=${madeX} y=${middle - 3} width=${usedX - madeX} height="6" />`}<circle class=${usedX > madeX ? 'ring' : 'ringm'} cx=${madeX} cy=${middle} r="3.5" /></svg>`;
}

export const lifeLegend = html`<footer><div class="key"><span><svg viewBox="0 0 16 10" aria-hidden="true"><circle class="ring" cx="8" cy="5" r="3.5" /></svg>made</span><span><svg viewBox="0 0 16 10" aria-hidden="true"><rect class="fd" y="2" width="16" height="6" /></svg>until its last use</span><span><svg viewBox="0 0 16 10" aria-hidden="true"><rect y="2" width="16" height="6" fill="url(#hm)" /></svg>silent since</span></div></footer>`;
