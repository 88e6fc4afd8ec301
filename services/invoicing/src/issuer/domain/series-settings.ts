import type { UpdateIssuer } from '@svc/contracts/issuer/requests';
import { numberSeries, type SeriesKind, seriesKinds } from '@svc/contracts/issuer/series';
import { type Details, sameJson } from '@svc/kernel';
import { rulesOf, rulesOfAuthority } from '@svc/tax-rules';
import type { SeriesSettings } from '../../numbering/domain/settings.ts';
import type { IssuerState } from './state.ts';

type SeriesSet = IssuerState['series'];
type Patch = NonNullable<UpdateIssuer['series']>;

/** What numbers depend on besides settings. */
type Place = Pick<IssuerState, 'country' | 'authority'>;

const formatsOf = ({ country, authority }: Place) => rulesOfAuthority(authority)?.number_formats ?? rulesOf(country).number_formats;

/** Country or authority gives the formats, and all invoices share one count. */
const isGiven = (place: Place): boolean => formatsOf(place) !== undefined;

const ofEach = (settingsOf: (kind: SeriesKind) => SeriesSettings): SeriesSet =>
  Object.fromEntries(seriesKinds.map((kind) => [kind, settingsOf(kind)])) as SeriesSet;

/** The numbering of each kind by default. */
export function presetSeries(place: Place): SeriesSet {
  const settings = (code: string, format: string): SeriesSettings => ({ code, format, start: 1 });
  const usual = ofEach((kind) => settings(numberSeries[kind].code, '{series}-{year}-{seq:6}'));
  const formats = formatsOf(place);
  if (!formats) return usual;
  const invoices = settings('INV', formats.invoice);
  const receipt = formats.receipt === formats.invoice ? invoices : settings('RCP', formats.receipt);
  return { ...usual, standard: invoices, credit_note: invoices, corrective: invoices, receipt };
}

/**
 * Merges by kind and field; settings that were never set follow country and authority, and the standard series where all invoices share one count. An
 * authority that gives the form of numbers leaves the first number alone to be set.
 */
export function mergedSeries(patch: Patch, now: Pick<IssuerState, 'series'> & Place, place: Place): SeriesSet {
  if (rulesOfAuthority(place.authority)?.number_formats) return givenSeries(patch, now.series, place);
  const presets = presetSeries(place);
  const standard = { ...followed('standard', now, presets.standard), ...patch.standard };
  const next = isGiven(place) ? { ...presets, credit_note: standard, corrective: standard } : presets;
  return ofEach((kind) => ({ ...followed(kind, now, next[kind]), ...patch[kind] }));
}

/** With the formats of the authority, and the codes that the issuer has as far as they tell its counts apart. */
function givenSeries(patch: Patch, { standard, receipt }: SeriesSet, place: Place): SeriesSet {
  const presets = presetSeries(place);
  const isShared = presets.receipt.code === presets.standard.code;
  const own = receipt.code === standard.code ? presets.receipt.code : receipt.code;
  const invoices = { ...presets.standard, code: standard.code, start: patch.standard?.start ?? standard.start };
  const receipts = isShared ? invoices : { ...presets.receipt, code: own, start: receipt.start };
  return ofEach((kind) => ({ ...(kind === 'receipt' ? receipts : invoices), ...patch[kind] }));
}

/** Codes and formats that a patch sets otherwise than the authority has them. */
export function givenSeriesProblems(patch: Patch, now: Pick<IssuerState, 'series'>, { authority, ...place }: Place): Details {
  const rules = rulesOfAuthority(authority);
  if (!rules?.number_formats) return {};
  const given = givenSeries({}, now.series, { authority, ...place });
  const problem = `is given by ${rules.id}: leave it out (${rules.number_formats.source}).`;
  return Object.fromEntries(
    seriesKinds.flatMap((kind) =>
      (['code', 'format'] as const).flatMap((field) => {
        const value = patch[kind]?.[field];
        return value === undefined || value === given[kind][field] ? [] : [[`series.${kind}.${field}`, [problem]]];
      }),
    ),
  );
}

/** A kind's settings: `next` where none were set; otherwise its own, with the format of `next` where no format was set. */
function followed(kind: SeriesKind, { series, ...place }: Pick<IssuerState, 'series'> & Place, next: SeriesSettings): SeriesSettings {
  const old = series[kind];
  const preset = presetSeries(place)[kind];
  const unchosen = isGiven(place) && (kind === 'credit_note' || kind === 'corrective') ? series.standard : preset;
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
