import { DomainError } from '@svc/kernel';

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
