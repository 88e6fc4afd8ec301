import { described, descriptionOf } from '../describe/description.ts';
import { judged, type Accepted } from './accepted.ts';
import { shownBreak, type Break } from './break.ts';
import { decodeStored } from './decode-stored.ts';
import { oasdiffProgram } from './oasdiff.mjs';
import { openapiBreaks } from './openapi.ts';
import { newTypes, publicBreaks } from './public-events.ts';
import { releasesIn, type Description } from './releases.ts';
import { storedBreaks } from './stored-events.ts';

interface Outcome {
  /** To print. */
  lines: string[];
  isPassed: boolean;
}

/** Compares this commit with the releases in `folder`. Names entries of `accepted` that no break needs: mostly a release has made them superfluous. */
export async function compareWithReleases(folder: string, accepted: readonly Accepted[]): Promise<Outcome> {
  const lines: string[] = [];
  const breaks: Break[] = [];
  for (const service of described) {
    const found = await compareService(folder, service);
    lines.push(...found.lines);
    breaks.push(...found.breaks);
  }
  if (lines.length === 0) lines.push(`${folder} holds no release yet: nothing to compare with`);
  const { refused, harmless, useless } = judged(breaks, accepted);
  lines.push(...harmless.map(({ id, because }) => `accepted: ${id}: ${because}`), ...refused.flatMap((one) => ['', shownBreak(one)]));
  lines.push(...useless.map((why) => `tools/contracts/accepted.json: ${why}`));
  const isPassed = refused.length === 0;
  const problems = `failed with ${refused.length} breaks. What to do: docs/contract-gate.md`;
  return { lines: [...lines, '', `contract gate: ${isPassed ? 'passed' : problems}`], isPassed };
}

async function compareService(folder: string, service: string): Promise<{ lines: string[]; breaks: Break[] }> {
  const releases = releasesIn(folder, service).filter(({ description }) => description.size > 0);
  if (releases.length === 0) return { lines: [], breaks: [] };
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
  return { lines: [`${service}: compared with ${releases.map(({ version }) => version).join(', ')}`, ...news], breaks };
}
