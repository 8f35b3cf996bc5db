import { compact } from '../../resources/field.ts';
import type { WrittenSaving } from '../answer-field.ts';
import { showHours, showMoney } from './number.ts';

type WrittenHours = Pick<WrittenSaving, 'compute_hours_per_month' | 'most_compute_hours_per_month'>;

/** The two figures of a saving as people read them; absent where it is not known. */
export interface ShownSaving {
  readonly likely?: string;
  readonly most?: string;
}

/** A saving in money where it has a price, else in compute hours. */
export function showSaving(saving: WrittenSaving, currency: string | null): ShownSaving {
  return saving.most_cost_per_month === null || currency === null
    ? showSavedHours(saving)
    : show(saving.cost_per_month, saving.most_cost_per_month, amount => showMoney(amount, currency));
}

export function showSavedHours(saving: WrittenHours): ShownSaving {
  return show(
    saving.compute_hours_per_month,
    saving.most_compute_hours_per_month,
    hours => `${showHours(hours)} hours`,
  );
}

/** The same with the hours of each: `€20.00 (60.0 hours)`. */
export function showSavingWithHours(saving: WrittenSaving, currency: string | null): ShownSaving {
  const [shown, hours] = [showSaving(saving, currency), showSavedHours(saving)];
  const join = (bound: keyof ShownSaving) =>
    shown[bound] === hours[bound] || hours[bound] === undefined
      ? shown[bound]
      : `${shown[bound]} (${hours[bound]})`;
  return compact({ likely: join('likely'), most: join('most') });
}

function show(likely: string | null, most: string | null, say: (figure: string) => string): ShownSaving {
  return { ...(likely !== null && { likely: say(likely) }), ...(most !== null && { most: say(most) }) };
}

/** `likely €20.00, at most €30.00`, or one of them where both are the same. */
export function saySaving({ likely, most }: ShownSaving): string {
  if (most === undefined) return 'too little is known';
  if (likely === most) return `likely ${likely}`;
  return `${likely === undefined ? '' : `likely ${likely}, `}at most ${most}`;
}
