import { WebhookError } from './error.ts';

const FORM = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;

/** The secrets as a list. Throws `secret_malformed`, without a word of them, where one is not as the API has shown it. */
export function secretsOf(given: string | readonly string[]): readonly string[] {
  const secrets = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(secrets) || secrets.length === 0) throw malformed('There is no secret');
  for (const secret of secrets as readonly unknown[]) {
    if (typeof secret !== 'string' || secret === '') throw malformed('A secret is empty: an environment variable may not be set');
    if (secret !== secret.trim()) throw malformed('A secret has blanks or a line break around it: trim what was read from a file');
    if (!secret.startsWith('whsec_')) throw malformed('A secret does not begin with whsec_: it is not whole, or is an API key');
    if (!FORM.test(secret)) throw malformed('Behind whsec_ a secret is not base64: it was cut or changed');
  }
  return secrets;
}

const malformed = (why: string): WebhookError =>
  new WebhookError(
    'secret_malformed',
    `${why}. Give it whole, as the answer to POST /v1/webhooks or POST /v1/webhooks/{id}/rotate-secret has it; a lost one is replaced by rotate-secret.`,
  );
