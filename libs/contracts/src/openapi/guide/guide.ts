import { issueRules } from '../../http/issue-rules.ts';
import { failures } from '../failures.ts';
import { lateAndVoid } from './late-and-void.ts';
import { webhooks } from './webhooks.ts';

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const codes = Object.entries(failures).flatMap(([status, failure]) =>
  Object.entries(failure.codes).map(([code, when]) => [status, `\`${code}\``, when]),
);

/** The description of the document, in Markdown: what a client needs to know before the first request. */
export const guide = (publicUrl: string): string => `
A REST API for invoices, receipts and customers, with registration at the tax authority. JSON in, JSON out.

\`\`\`sh
curl ${publicUrl}/v1/account -H "Authorization: Bearer svc_test_…"
\`\`\`

# Authentication

Every request under \`/v1\` carries an API key: \`Authorization: Bearer <key>\`, or \`X-API-Key: <key>\`. Keys are created in the dashboard,
shown once, and have permissions; each operation below names the one it needs. Keep keys out of browsers, apps and source control.
Rotate a key by \`POST /v1/api-keys/rotate\`: its old value stays valid until \`previous_expires_at\`, and cannot rotate.

# Environments and the sandbox

A key that begins with \`svc_live_\` does real business; one with \`svc_test_\` works in the sandbox, whose data are separate (\`livemode\`
is false) and never reach a tax authority: a simulator answers instead. \`metadata.simulate\` of a test document says how:

${table(
  ['`metadata.simulate`', 'what happens'],
  simulation.map(([value, what]) => [value, what]),
)}

It is read at each submission and holds for voiding too. Another value is 422. In live documents it is plain metadata.

A test issuer may choose a national authority, which is simulated on its own protocol: \`PATCH /v1/issuer\` with
\`{"authority": "al-cis"}\` (Albania), \`"es-verifactu"\` (Spain) or \`"me-efi"\` (Montenegro). What that authority wants and you have not set is filled
in: country, address, currency, time zone, tax id, unit, till, operator, software code or installation. \`setup\` says what is still missing; a submission
is refused for the same. Numbers then have the form of the authority.

# Requests

- **Money** comes in as a JSON number of at most 15 significant digits or as a decimal string, and goes out as a JSON number with its
  exact value. A double keeps 15 digits of it: where you need more, send \`Prefer: amounts=string\`, and every amount, price, quantity and rate of
  the answer is text with all its digits, such as \`"123456789012.3456"\`, without an exponent. \`Preference-Applied: amounts=string\` says so; an answer
  without amounts, an error, an event and a webhook do not have it. A repeat under an \`Idempotency-Key\` has the form of the first answer.
- **Text** is trimmed and brought into Unicode NFC; control characters, line breaks and lone surrogates are refused, and so is a text of which
  nothing is visible. \`notes\`, a \`description\`, the \`reason\` of a void and the \`note\` of a resolution may have up to 100 line breaks:
  \`\\n\`, or \`\\r\\n\`, which is stored as \`\\n\`.
- **Times** go out in UTC, \`YYYY-MM-DDTHH:mm:ss.sssZ\`. A time that you send may have any form of RFC 3339, such as
  \`2026-03-01t13:00:00.123456+01:00\`, and is cut to milliseconds; in a query an unescaped \`+\` before the offset is understood. Days are
  \`YYYY-MM-DD\` in the issuer’s time zone.
- **PATCH** is a JSON merge patch (RFC 7396): what is left out stays, null removes, lists are replaced whole.
  A resource can be sent back as it was read: what the service calculates is ignored where it has the value of now, also after lines were
  changed, moved or taken out. With another value it is 422. No change is 200 with the same version.
- **Lists** answer newest first, in pages: \`page\` (from 1) and \`per_page\` (20, at most 100). \`links\` keep all filters. A filter
  is compared like what is stored, trimmed and in NFC; \`email\` without case, \`tax_id\` without spaces, dots, dashes and slashes, \`q\` by
  case folding: words of a name from their beginning, a number whole, from its beginning or by its sequence, all else whole. An empty
  filter is 400. All filters must hold; of the values of one, divided by commas, any: \`status=draft,failed\`, at most 20.
  \`number\`, \`sku\` and \`email\` are compared whole as well, comma and all.
- **Polling**: ask \`sort=created_at&created_from=\` the newest \`created_at\` you have, less 5 seconds, and leave out what you have. An answer with
  \`Svc-As-Of\` may lack what came after that time, since a disk is full: ask from that time on until an answer comes without it. A document
  enters the list with its \`created_at\`, which the clocks of our processes may put at most 5 seconds off. A receipt is created with its number.
- **Concurrency**: a resource’s \`version\` is its \`ETag\`. Send it as \`If-Match\` and a change that crossed yours is 412, not lost.
- **Size**: a body has at most 256 KiB, of a batch 1 MiB. A request that is refused before its body was read is answered with
  \`Connection: close\`; what is still on its way is read on for a moment (32 MiB, 15 seconds), so that the answer arrives. With
  \`Expect: 100-continue\` it need not be sent. Unknown fields are 422, unknown query parameters 400.
- Later releases add fields, events and values of lists (a status, an action): let those pass that you do not know.

# Generated clients

Clients are generated from this document by openapi-typescript 7, openapi-python-client 0.28, oapi-codegen from 2.8.0 on (Go) and openapi-generator 7
(PHP, Java); a program in each language is tested. For Java set \`containerDefaultToNull=true\`, without which every list that a PATCH omits is
sent as \`[]\`, and give an empty object where a body is optional: an omitted one is sent as \`null\`, which is 422.

# Idempotency

Send an \`Idempotency-Key\` (1 to 255 visible ASCII characters, such as a UUID) with a POST, and a repeat does nothing twice: the first
answer below 500 is kept for 48 hours and answered again, with \`Idempotent-Replayed: true\`. The same key with another request is 409
\`idempotency_key_reused\`; while the first still runs, 409 \`idempotency_key_in_use\`. After \`outcome_unknown\`, a timeout or a broken
connection repeat the request with the same key.

# Rate limits

Limits count per account and environment, over all its keys.

${table(
  ['limit', 'counts', 'per minute'],
  [
    [
      '`plan`',
      'every request; of a batch every ten items, rounded up',
      'free 60, starter 300, professional 1,000, enterprise by agreement',
    ],
    [
      '`burst`',
      'every request and every batch, a token bucket refilled by the plan’s rate',
      'free 10, starter 50, professional 100 at once',
    ],
    ['`submit`', '`POST /v1/invoices/{id}/submit`, and each of the `ids` of a batch', '10'],
    ['`receipts`', '`POST /v1/receipts`', '100'],
    ['`reports`', '`GET /v1/reports/{report}`', '5'],
    ['`ip`', 'requests without a valid key, by address', '60'],
  ],
)}

\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (seconds since 1970) on every answer describe the limit with the
fewest left; \`RateLimit-Policy\` and \`RateLimit\` name all of them. A batch that the limits can never admit is 422, which says how many items
they do. Beyond a limit the answer is 429 with \`Retry-After\`: wait that many seconds, then longer each time. \`details.limit\` names the limit,
\`issues\` its size.

# Storage

What an account stores counts in bytes of UTF-8, of both environments together: what its requests write, answers that are kept for an \`Idempotency-Key\`, each
submission’s record and first message, and for 30 days some 1 KB for each delivery to a webhook endpoint. Plans have 1 GiB (free), 10 GiB (starter),
100 GiB (professional) or what is agreed (enterprise); \`limits.storage\` of \`GET /v1/account\` says it.
From 80 % on every answer has \`X-Storage-Used\`. At 100 % what creates something is 422 \`storage_quota_exceeded\`, and answers above 4 KiB are not kept: a repeat
with their key runs again, and does nothing twice. Reads, submissions, outcomes, voids and payments go on, changes for another tenth. Counts are some seconds late.

# Errors

\`{"error": {"code", "message", "details", "issues", "request_id"}}\`; with \`Accept: application/problem+json\` the same facts as RFC 9457, whose
\`type\` is the address of the page of the code, \`/docs/errors/<code>\`. Go by
\`code\`; \`message\` is for people; \`details\` names wrong fields by their path. \`issues\` has the same for programs, one for each message of
\`details\` in their order: \`{"field", "rule", "params"}\`, so that you can say it in your users’ language. Tell support the \`request_id\`.

An invoice or a receipt that the law of the issuer’s country refuses is 422 \`validation_error\` before it takes a number: \`details\` names each
field with its rule, such as \`al.exchange_rate\`, and the source of the rule (\`issues\`: rule \`country_rule\`).

${table(['status', 'code', 'when'], codes)}

The rules of \`issues\`, and their \`params\`; later releases may add some:

${table(
  ['rule', 'what it says', '`params`'],
  Object.entries(issueRules).map(([rule, [meaning, params]]) => [`\`${rule}\``, meaning, params]),
)}

# While the authority has not answered

\`fiscal\` says what is happening to a document. \`pending\`: nothing was processed yet; it is sent again by itself. \`unknown\`: it may be
registered; the authority is asked until it is known, also where \`error\` names a later rejection. \`error.fixable\` says what you have to fix:
\`credentials\` (a new certificate by \`PUT /v1/fiscal-credentials\`) or \`setup\`; then it goes on by itself. null: wait, or \`resolve\` the doubt.

- A change of \`status\`, \`error.code\` or \`error.fixable\` is news: an entry of the history (\`delayed\` where the status changes, else \`updated\`), an
  \`invoice.updated\`, a new \`version\`. Attempts with the same error are not, and codes that alternate are 20 times a submission; \`/attempts\`
  has the first 200 of them.
- \`attempts\`, \`last_attempt_at\` and \`next_attempt_at\` are as of now where one document is read that is \`pending\`, \`unknown\` or \`voiding\`. Lists,
  webhooks, history and answers to other requests have those of the last news. \`version\` and \`ETag\` do not change with them.

${webhooks}
${lateAndVoid}
# Certificates, tills, evidence

- A live document of an issuer that has no certificate, and for which the installation has none, is refused before it takes a number, as \`setup\` says. Where one has
  ended, documents take numbers and wait for the next.
- The next certificate follows without a gap: \`PUT /v1/fiscal-credentials\` with \`successor: true\` stages it. It takes over when the present one expires, once it is valid itself, or by
  \`POST /v1/fiscal-credentials/activate\`. \`POST /v1/fiscal-credentials/check\` tries certificate and connection, and registers nothing.
- A certificate that names another taxpayer than the issuer is refused where the authority takes the issuer’s own alone; elsewhere \`check\` warns of it.
- A till is registered once, before any document of it: \`POST /v1/issuer/devices/{code}/register\`, with \`Prefer: wait\`. Repeating it is harmless: the authority knows a
  till by \`internal_id\`. A till that other software has registered gets its \`authority_code\` by \`PATCH /v1/issuer\`.
- \`GET /v1/invoices/{id}/evidence\` and \`/v1/receipts/{id}/evidence\` answer with a link to a ZIP: the exact bytes of each attempt, the records, codes, links of the chain and
  certificates, who entered an outcome by hand and why, SHA-256 of all. \`node verify.mjs\` in it checks it offline. Who asked for it is in the audit.

# Following events

Without a public URL, ask for the events: \`GET /v1/events?after=evt_…&wait=25\` answers with those that were stored after this one, oldest first, and waits up
to 25 seconds for one where there is none yet. An answer without events is normal: ask again.

\`\`\`sh
# once: the newest event is where you begin
curl '${publicUrl}/v1/events?per_page=1' -H "Authorization: Bearer svc_test_…"
# again and again: with the id of the last event of each answer
curl '${publicUrl}/v1/events?after=evt_…&wait=25&per_page=100' -H "Authorization: Bearer svc_test_…"
\`\`\`

- Store the id of the last event once you have worked on it, and begin with it after a restart: no event is missed, and none comes twice. While the list is empty, repeat the first request.
- The order is that in which we store events, not that of \`created_at\` or of the ids. \`sequence\` orders the events of one resource.
- Filters go with it (\`type\`, \`resource_id\`, \`created_from\`, \`created_to\`). \`page\` does not: go on behind the last event, as \`links.next\` does.
- An \`after\` that is not kept any more is 400: list the events, and begin again.
- A request that waits counts once on the plan. 100 requests of an account wait at a time; beyond that the answer comes at once: wait a second before the next.
`;

/** The values of `metadata.simulate` and what the simulated authority does for each. */
export const simulation: readonly (readonly [value: string, what: string])[] = [
  ['none, or `accept`', 'It registers.'],
  ['`accept_with_warnings`', 'It registers, with warnings.'],
  [
    '`reject`, `reject:<code>`',
    'It rejects every time; the code, 1 to 40 letters, digits and `. _ -`, is shown in `fiscal.error`. `reject:credentials` and `reject:setup` say what has to be fixed.',
  ],
  ['`reject_once`', 'It rejects the first time only.'],
  ['`lost_request`, `lost_reply`', 'It drops the connection before or after it registers, once.'],
  ['`error_after_accept`', 'It registers and answers 500, once.'],
  ['`unavailable:<n>`', 'It answers 503 to n calls (1 to 10,000), then registers.'],
  ['`slow:<ms>`', 'It answers that much later: 1 to 600,000 milliseconds.'],
  ['`duplicate`, `duplicate_foreign`', 'It says “already registered”, with the same or with another record.'],
  ['`bad_signature`, `truncated`, `wrong_request_id`', 'It answers what cannot be trusted, once.'],
  ['`refuse_void`', 'It refuses to void. Where it knows no annulment (AL, ME), it rejects the corrective.'],
];
