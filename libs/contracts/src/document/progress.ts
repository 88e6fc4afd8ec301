/** How far the registration or the void of a document is that waits for its authority: the live fields of `fiscal`. Times are ISO 8601. */
export interface Progress {
  attempts: number;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
}

/** Looks it up by the document; undefined where nothing was submitted, or where it cannot be looked up. */
export type ProgressOf<Document> = (document: Document) => Promise<Progress | undefined>;

/** How long a read waits for it, in milliseconds. */
const WITHIN_MS = 200;

/** The header in which fiscal-submission gives it to the gateway, with the attempts of a document. The gateway does not pass it on. */
export const PROGRESS_HEADER = 'x-svc-progress';

// A quotation mark within a text is escaped, so these are found as fields alone.
const FISCAL = '"fiscal":{"authority":';
const FIELDS = /"attempts":\d+,"last_attempt_at":(?:null|"[^"]*"),"next_attempt_at":(?:null|"[^"]*")/;
const OPEN = /^"fiscal":\{"authority":"[^"]*","status":"(?:pending|unknown)"/;
/** Of an invoice or receipt that may wait: others are not searched further. */
const MAY_WAIT = /"status":"(?:submitting|issued|voiding)"/;
const VOIDING = '"status":"voiding"';
/** Characters within which every resource has its status. */
const HEAD = 400;

/** Whether a document, as the text of its resource, waits for its authority. */
export function isWaiting(resource: string): boolean {
  const head = resource.slice(0, HEAD);
  if (!MAY_WAIT.test(head)) return false;
  const at = resource.indexOf(FISCAL);
  return at >= 0 && (head.includes(VOIDING) || OPEN.test(resource.slice(at, at + 200)));
}

/** The text of a resource with these live fields, every other byte as it is. */
function withProgress(resource: string, { attempts, last_attempt_at, next_attempt_at }: Progress): string {
  const at = resource.indexOf(FISCAL);
  const live = `"attempts":${attempts},"last_attempt_at":${JSON.stringify(last_attempt_at)},"next_attempt_at":${JSON.stringify(next_attempt_at)}`;
  return at < 0 ? resource : resource.slice(0, at) + resource.slice(at).replace(FIELDS, () => live);
}

/** Of the header; undefined for none, or one of another form. */
export function progressIn(header: unknown): Progress | undefined {
  const [attempts = '', last = '', next = ''] = typeof header === 'string' ? header.split(' ') : [];
  const time = (text: string): string | null => (text === '-' ? null : text);
  return /^\d+$/.test(attempts) ? { attempts: Number(attempts), last_attempt_at: time(last), next_attempt_at: time(next) } : undefined;
}

export const progressText = ({ attempts, last_attempt_at, next_attempt_at }: Progress): string =>
  `${attempts} ${last_attempt_at ?? '-'} ${next_attempt_at ?? '-'}`;

/**
 * The text of a document that waits, with what `look` finds within 200 ms; as it is where that fails or takes longer, with the values of the last news.
 * `late` is called when it takes longer.
 */
export async function withLiveProgress(
  resource: string,
  look: () => Promise<Progress | undefined>,
  clock: { after(ms: number, fire: () => void): () => void },
  late?: () => void,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const cancel = clock.after(WITHIN_MS, () => {
    resolve(undefined);
    late?.();
  });
  const found = await Promise.race([look().catch(() => undefined), promise]).finally(cancel);
  return found ? withProgress(resource, found) : resource;
}
