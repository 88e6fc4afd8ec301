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
