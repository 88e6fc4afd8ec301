import type { JobReason } from '@svc/contracts/console/jobs';

/** Characters. */
const LONGEST = 500;

/** What an error of the interface says: its code, and the first field that it names, else its message. */
export function refusalIn(bytes: Buffer): JobReason {
  const { error } = JSON.parse(bytes.toString('utf8')) as { error: { code: string; message: string; details?: Record<string, string[]> } };
  const [field, messages] = Object.entries(error.details ?? {})[0] ?? [];
  const text = field === undefined ? error.message : `${field}: ${messages?.[0] ?? error.message}`;
  return { code: error.code, message: [...text].slice(0, LONGEST).join('') };
}

/** So often is a document tried that a service fails at. */
const MOST_TRIES = 5;

/** Whether a document that a service fails at is passed over, so that the others are done. */
export const isGivenUp = ({ code }: JobReason, { tries }: { tries: number }): boolean => code === 'internal_error' && tries >= MOST_TRIES;
