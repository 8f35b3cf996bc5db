import type { Track } from '../../../metrics/page/backfill-track.ts';
import { encodeTimeSeries, type SeriesRun } from '../../remote-write/time-series.ts';

/** One series of a stretch, ready to be sent. */
export interface EncodedSeries {
  readonly bytes: Uint8Array;
  readonly samples: number;
}

/** The instants of a stretch. */
export interface StretchInstants {
  /** Epoch milliseconds, the oldest first. */
  readonly instants: readonly number[];
  /** The first instant was sent before. */
  readonly isLed: boolean;
}

/** The series of a track that have samples in the stretch, or end in it. */
export function* encodeTrack(track: Track, { instants, isLed }: StretchInstants): Generator<EncodedSeries> {
  const runs = [...track.runs(instants.length)];
  for (const [index, name] of track.series.entries()) {
    const own = runs.map(({ values, ...run }) => ({ ...run, value: values[index] ?? Number.NaN }));
    const sent = [...markEnds(own, instants.length)].flatMap(run => cutLead(run, isLed ? 1 : 0));
    const samples = sent.reduce((sum, { fromIndex, untilIndex }) => sum + untilIndex - fromIndex, 0);
    if (samples > 0) yield { bytes: encodeTimeSeries(name, sent, instants), samples };
  }
}

/** Puts a run without a value where the series is no longer there. */
function* markEnds(runs: readonly SeriesRun[], count: number): Generator<SeriesRun> {
  for (const [position, run] of runs.entries()) {
    yield run;
    const { untilIndex } = run;
    if (untilIndex < count && runs[position + 1]?.fromIndex !== untilIndex)
      yield { fromIndex: untilIndex, untilIndex: untilIndex + 1 };
  }
}

function cutLead(run: SeriesRun, lead: number): readonly SeriesRun[] {
  const fromIndex = Math.max(run.fromIndex, lead);
  return fromIndex < run.untilIndex ? [{ ...run, fromIndex }] : [];
}
