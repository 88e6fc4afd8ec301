import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { numberSeries, type SeriesKind, seriesKinds } from '@svc/contracts/issuer/series';
import { type Details, sameJson } from '@svc/kernel';
import { rulesOf } from '@svc/tax-rules';
import type { SeriesSettings } from '../../numbering/domain/settings.ts';
import type { IssuerState } from './state.ts';

type SeriesSet = IssuerState['series'];
type Patch = NonNullable<UpdateIssuer['series']>;

/** The country gives the formats, and all invoices share one count. */
const isGiven = (country: string | null): boolean => rulesOf(country).number_formats !== undefined;

const ofEach = (settingsOf: (kind: SeriesKind) => SeriesSettings): SeriesSet =>
  Object.fromEntries(seriesKinds.map((kind) => [kind, settingsOf(kind)])) as SeriesSet;

/** The numbering of each kind by default. */
export function presetSeries(country: string | null): SeriesSet {
  const settings = (code: string, format: string): SeriesSettings => ({ code, format, start: 1 });
  const usual = ofEach((kind) => settings(numberSeries[kind].code, '{series}-{year}-{seq:6}'));
  const formats = rulesOf(country).number_formats;
  if (!formats) return usual;
  const invoices = settings('INV', formats.invoice);
  return { ...usual, standard: invoices, credit_note: invoices, corrective: invoices, receipt: settings('RCP', formats.receipt) };
}

/** Merges by kind and field; settings that were never set follow the country, and the standard series where all invoices share one count. */
export function mergedSeries(patch: Patch, now: Pick<IssuerState, 'series' | 'country'>, country: string | null): SeriesSet {
  const presets = presetSeries(country);
  const standard = { ...followed('standard', now, presets.standard), ...patch.standard };
  const next = isGiven(country) ? { ...presets, credit_note: standard, corrective: standard } : presets;
  return ofEach((kind) => ({ ...followed(kind, now, next[kind]), ...patch[kind] }));
}

/** A kind's settings: `next` where none were set; otherwise its own, with the format of `next` where no format was set. */
function followed(kind: SeriesKind, { series, country }: Pick<IssuerState, 'series' | 'country'>, next: SeriesSettings): SeriesSettings {
  const old = series[kind];
  const preset = presetSeries(country)[kind];
  const unchosen = isGiven(country) && (kind === 'credit_note' || kind === 'corrective') ? series.standard : preset;
  if (sameJson(old, unchosen)) return next;
  return { ...old, format: old.format === preset.format ? next.format : old.format };
}

/** Fields whose values would let two documents have the same number. */
export function seriesProblems(series: SeriesSet): Details {
  const problems: Details = {};
  for (const [n, kind] of seriesKinds.entries()) {
    const { code, format, start } = series[kind];
    for (const other of seriesKinds.slice(0, n)) {
      const its = series[other];
      if (its.code === code && (its.format !== format || its.start !== start)) {
        problems[`series.${kind}.code`] = [`is ${other}'s too, so that format and start must be the same: they count as one`];
      }
      if (its.code !== code && its.format === format && !format.includes('{series}')) {
        problems[`series.${kind}.format`] = [
          `gives the numbers of ${other} again: add {series} to one of them, or give both the same code`,
        ];
      }
    }
  }
  return problems;
}
