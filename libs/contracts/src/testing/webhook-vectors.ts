import { readFileSync } from 'node:fs';

/** A delivery, and what a receiver makes of it. Times in seconds since 1970. */
export interface WebhookVector {
  name: string;
  /** What the receiver has. */
  secrets: string[];
  now: number;
  headers: Record<string, string>;
  body_base64: string;
  /** Id of the event in a genuine body; null where it holds none. */
  event: string | null;
  /** `genuine` or the code of the refusal, by the header that is verified. */
  outcomes: Record<'webhook-signature' | 'x-service-signature', string>;
}

const file = new URL('../webhook/fixtures/signatures.json', import.meta.url);

/** The vectors that every verifier, of whatever language, is judged by. */
export const webhookVectors: WebhookVector[] = (JSON.parse(readFileSync(file, 'utf8')) as { vectors: WebhookVector[] }).vectors;
