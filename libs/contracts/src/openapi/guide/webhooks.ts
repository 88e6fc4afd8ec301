import { newestState } from './snippets/snippet.ts';
import { fileOf, type SnippetLanguage, snippets } from './snippets/snippets.ts';

const languages = Object.keys(snippets) as SnippetLanguage[];

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\`\`\``;

/** The chapter for who receives events. Markdown. */
export const webhooks = `# Webhooks

Create an endpoint by \`POST /v1/webhooks\`; its \`secret\` is in that answer alone. Events are then sent to it as POST requests, as
described under each of the ten events below.

- Answer with any 2xx within 30 seconds; work on it afterwards. Redirects are failures.
- Receive by TLS 1.3, or TLS 1.2 without a finite-field Diffie-Hellman exchange (DHE), with at most 16 KiB of certificates.
- A failed delivery is repeated 1 minute, 5 minutes, 30 minutes, 2 hours and 24 hours after the attempt before.
- An event may come more than once: drop duplicates by its \`id\`.
- Verify each delivery over the raw bytes of the body, before anything parses them, and answer 401 where no signature fits.

Events may come in another order than they happened. \`sequence\` is the \`version\` of the resource: of several events the one with the highest has the newest state.
Not every version is sent, so gaps are normal. Store the state with its \`sequence\`, and let the database drop what is older:

${fenced('sql', newestState)}

A stale event changes no row: answer 2xx all the same. Keep the row of a customer whose \`data.deleted_at\` is set, or an older event brings it back.

A delivery has two signatures. \`X-Service-Signature\` is over the body alone: short to verify, but a copy of the request stays valid. \`webhook-signature\` is that of
Standard Webhooks, whose libraries take the same secret: it is also over \`webhook-id\` and \`webhook-timestamp\`, so that what is older than five minutes can be refused, and
during a rotation it has a signature by each secret. Verify it where you can. In each language the first function is for the one, the second for the other:

${languages.map((language) => fenced(language, fileOf(language))).join('\n\n')}

- \`POST /v1/webhooks/{id}/rotate-secret\` makes a new secret. For a day, or \`grace_period_seconds\`, the old one goes on signing: \`webhook-signature\` then has a
  signature by each, divided by blanks, and \`X-Service-Signature\` is by the oldest of them. With 0 all earlier ones end at once. Four replaced secrets sign at
  a time: a further rotation within their grace is 422 \`invalid_state\`, which says when the first of them ends.
- \`POST /v1/webhooks/{id}/test\` sends a sample, with \`"test": true\` in it, and answers with what came of it.
- \`health\` of an endpoint says since when it fails and when it is disabled if nothing arrives before: after 120 hours in which every attempt failed, or when a
  delivery ends on a 410. Its pending deliveries are cancelled then. \`POST …/enable\` opens it again; what happened meanwhile is not sent by itself.
- \`POST /v1/webhooks/{id}/recover\` sends what is missing since a moment: events that the endpoint listens to and of which no delivery to it has succeeded. With
  \`dry_run\` it only counts. Of one resource they come one at a time, the oldest first, and fresh events pass them; \`recovery\` of the endpoint says how far it is, and
  \`{"stop": true}\` ends it.
- \`GET /v1/webhooks/{id}/deliveries\` is the log: each attempt with its status, where its time went, and why it failed. \`POST …/redeliver\` sends the same bytes once
  more, beside the schedule.
`;
