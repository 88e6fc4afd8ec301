import type { Promises } from '../../release/results.mjs';
import { described, descriptionOf } from '../describe/description.ts';
import { judged, type Accepted } from './accepted.ts';
import { shownBreak, type Break } from './break.ts';
import { decodeStored } from './decode-stored.ts';
import { oasdiffProgram } from './oasdiff.mjs';
import { openapiBreaks } from './openapi.ts';
import { newTypes, publicBreaks } from './public-events.ts';
import { releasesIn, type Description, type Release } from './releases.ts';
import { storedBreaks } from './stored-events.ts';

interface Outcome {
  /** To print. */
  lines: string[];
  isPassed: boolean;
  /** Ids of the breaks that were accepted. */
  harmless: string[];
  /** What a release says of them, by service. */
  services: Record<string, Promises>;
}

/**
 * Compares this commit with the releases in `folder`. Names entries of `accepted` that no break needs: mostly a release has made them superfluous.
 * `known`: ids of accepted breaks that are only counted.
 */
export async function compareWithReleases(
  folder: string,
  accepted: readonly Accepted[],
  known: ReadonlySet<string> = new Set(),
): Promise<Outcome> {
  const lines: string[] = [];
  const breaks: Break[] = [];
  const services: Record<string, Promises> = {};
  for (const service of described) {
    const found = await compareService(folder, service);
    lines.push(...found.lines);
    breaks.push(...found.breaks);
    services[service] = {
      accepted: judged(found.breaks, accepted).harmless.map(({ id, because }) => ({ id, because })),
      formats: found.formats,
    };
  }
  if (lines.length === 0) lines.push(`${folder} holds no release yet: nothing to compare with`);
  const { refused, harmless, useless } = judged(breaks, accepted);
  const news = harmless.filter(({ id }) => !known.has(id));
  if (news.length < harmless.length)
    lines.push(`${harmless.length - news.length} accepted breaks, as before: npm run gate -- --all names them`);
  lines.push(...news.map(({ id, because }) => `accepted: ${id}: ${because}`), ...refused.flatMap((one) => ['', shownBreak(one)]));
  lines.push(...useless.map((why) => `tools/contracts/accepted.json: ${why}`));
  const isPassed = refused.length === 0;
  const problems = `failed with ${refused.length} breaks. What to do: docs/contract-gate.md`;
  return {
    lines: [...lines, '', `contract gate: ${isPassed ? 'passed' : problems}`],
    isPassed,
    harmless: harmless.map(({ id }) => id),
    services,
  };
}

interface Found {
  lines: string[];
  breaks: Break[];
  /** Schemas of events that the last release does not have in this form. */
  formats: string[];
}

async function compareService(folder: string, service: string): Promise<Found> {
  const releases = releasesIn(folder, service).filter(({ description }) => description.size > 0);
  const last = releases.at(-1);
  if (last === undefined) return { lines: [], breaks: [], formats: [] };
  const today: Description = new Map(Array.from(await descriptionOf(service), ([path, text]) => [path, JSON.parse(text)]));
  const breaks = [
    ...(today.has('openapi.json') ? openapiBreaks(today, releases, oasdiffProgram()) : []),
    ...publicBreaks(today, releases),
    ...storedBreaks(today, releases, decodeStored),
  ];
  const news = newTypes(today, releases).map(
    (type) => `  ${type} is new: consumers of earlier releases keep it, and later events of its subject, as dead letters of the reason
  unknown_type until they are replaced. Release and upgrade the consumers first: helm/UPGRADING.md`,
  );
  return {
    lines: [`${service}: compared with ${releases.map(({ version }) => version).join(', ')}`, ...news],
    breaks,
    formats: formatsSince(last, today),
  };
}

const formatsSince = ({ description }: Release, today: Description): string[] =>
  [...today]
    .filter(([path, schema]) => isFormat(path) && JSON.stringify(description.get(path)) !== JSON.stringify(schema))
    .map(([path]) => path);

const isFormat = (path: string): boolean => /^(stored|public)-events\//.test(path);
