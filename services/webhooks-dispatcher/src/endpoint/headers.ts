/** A header that every webhook to an endpoint carries. The value is a ciphertext. */
export interface KeptHeader {
  name: string;
  value: string;
}

const MOST = 10;
/** RFC 9110, 5.6.2 and 5.5; of a value, what every server takes. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/;
/** Those of the message itself and of its connection, and those that the webhook has. */
const TAKEN =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|date|via|forwarded|user-agent|accept-encoding|traceparent|tracestate|baggage|(?:content|proxy|webhook|x-service|x-forwarded)-.*)$/i;

/** What is wrong, by field; without fields, nothing. null removes a header. */
export function problemsOfHeaders(headers: Readonly<Record<string, string | null>>): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const problem =
      problemOf(name, value) ??
      (seen.has(name.toLowerCase()) ? 'is there twice: names are the same in capitals and small letters.' : undefined);
    if (problem) problems[`headers.${name}`] = [problem];
    seen.add(name.toLowerCase());
  }
  return problems;
}

function problemOf(name: string, value: string | null): string | undefined {
  if (!NAME.test(name)) return 'is not the name of a header: use letters, digits and -, as in X-Shop-Key.';
  if (TAKEN.test(name)) return 'is a header that the webhook has or that belongs to HTTP: use a name of your own, as X-Shop-Key.';
  if (value !== null && !VALUE.test(value)) return 'Send a value of printable ASCII characters without spaces around it.';
  return undefined;
}

/** The headers of a new endpoint. */
export const newHeaders = (sent: Readonly<Record<string, string | null>>, encrypt: (plain: string) => string): KeptHeader[] =>
  Object.entries(sent).flatMap(([name, value]) => (value === null ? [] : [{ name, value: encrypt(value) }]));

/** The headers after a merge patch, in the order in which they were first sent. One of the same name and value keeps its ciphertext: nothing has changed. */
export function mergedHeaders(
  now: readonly KeptHeader[],
  patch: Readonly<Record<string, string | null>> | null,
  { encrypt, decrypt }: { encrypt(plain: string): string; decrypt(ciphertext: string): string },
): KeptHeader[] {
  const before = new Map(now.map((header) => [header.name.toLowerCase(), header]));
  const merged = new Map(patch === null ? [] : before);
  for (const [name, value] of Object.entries(patch ?? {})) {
    const key = name.toLowerCase();
    const kept = before.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, kept?.name === name && decrypt(kept.value) === value ? kept : { name, value: encrypt(value) });
  }
  return [...merged.values()];
}

export const problemOfCount = (headers: readonly KeptHeader[]): string | undefined =>
  headers.length > MOST ? `An endpoint has at most ${MOST} headers: remove some, by null as their value.` : undefined;
