import { DomainError } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';

/** `*`, or the strong tags without their quotes. */
export type IfMatch = '*' | readonly string[];

const TAG = /[\t ]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*(?:,|$)|[\t ]*,/y;

/** Parses If-Match (RFC 9110, 13.1.1). Skips weak tags, which never match. Throws `invalid_request` unless it is `*` or quoted tags. */
export function parseIfMatch(header: string): IfMatch {
  const text = header.trim();
  if (text === '*') return '*';
  const tags: string[] = [];
  TAG.lastIndex = 0;
  while (TAG.lastIndex < text.length) {
    const found = TAG.exec(text);
    if (!found) throw badHeader();
    if (found[2] !== undefined && found[1] === undefined) tags.push(found[2]);
  }
  if (text === '') throw badHeader();
  return tags;
}

const badHeader = (): DomainError =>
  new DomainError('invalid_request', 'If-Match must be * or the ETag of the resource in its quotes, such as "3".', {
    'if-match': ['is not a quoted tag'],
  });

/** Throws `version_conflict` if the caller sent If-Match and the resource has another version. */
export function checkVersion(ifMatch: IfMatch | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch.includes(String(version))) return;
  throw new DomainError(
    'version_conflict',
    `The resource is at version ${version}. Read it again, and repeat with If-Match: "${version}".`,
  );
}

const LONGEST_S = 25;
/** A name, and its value as text in quotes or as a token; parameters may follow (RFC 7240, 2). */
const PREFERENCE = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]+))\s*)?(?:;|$)/;
const NAMED_WAIT = /^\s*wait\s*(?:[=;]|$)/i;

/** Requests that may wait in a process for an outcome. A till with 100 receipts a minute has 42. */
export const MOST_WAITING = { perAccount: 100, inAll: 1_000 };

/** The value of a preference (`Prefer`, RFC 7240), '' where it has none; of several by this name the first counts. undefined: there is none, or it is malformed. */
export function preferenceOf({ headers: { prefer } }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  if (prefer === undefined) return undefined;
  for (const preference of preferencesIn(String(prefer))) {
    const [, named, quoted, token] = PREFERENCE.exec(preference) ?? [];
    if (named?.toLowerCase() === name) return quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '';
  }
  return undefined;
}

/** The seconds that the caller waits for the outcome (`Prefer: wait=N`): at most 25; 0 without the header or if it is malformed. */
export function waitSeconds(request: Pick<FastifyRequest, 'headers'>): number {
  const wanted = preferenceOf(request, 'wait') ?? '';
  return /^\d{1,9}$/.test(wanted) ? Math.min(Number(wanted), LONGEST_S) : 0;
}

/** The header without its waits; undefined: it has no other preference. */
export function withoutWait(prefer: string): string | undefined {
  const others = preferencesIn(prefer).filter((preference) => !NAMED_WAIT.test(preference));
  return others.length > 0 ? others.join(',').trim() : undefined;
}

/** What stands between the commas of the header that are not in quotes. */
function preferencesIn(prefer: string): string[] {
  const preferences: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < prefer.length; at += 1) {
    const character = prefer[at];
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) {
      preferences.push(prefer.slice(from, at));
      from = at + 1;
    }
  }
  return [...preferences, prefer.slice(from)];
}
