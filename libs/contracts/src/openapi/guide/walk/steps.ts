/** What a new client does first, in order. The code of all steps of a language, one after the other, is a program that runs. */
export const steps = [
  {
    name: 'key',
    title: 'Take a key',
    text:
      'From a folder with the source `npm start` runs the whole product, and prints a test key; elsewhere an owner creates one in the dashboard. ' +
      'A key that begins with `svc_test_` works in the sandbox: nothing reaches a tax authority. Set `KEY` to it.',
  },
  {
    name: 'customer',
    title: 'Create a customer',
    text: 'A name is enough. What else its country asks for is said when an invoice is submitted.',
  },
  { name: 'invoice', title: 'Create an invoice', text: 'It is a draft: it can be changed, and has no number yet.' },
  {
    name: 'submit',
    title: 'Submit it and read the fiscal code',
    text:
      'It takes its number and goes to the authority. `Prefer: wait=10` holds the answer back until the outcome is known, at most 10 seconds. ' +
      '`submitted` comes with a `fiscal_code`. With `submitting` the authority has not answered: the webhook `invoice.submitted` is sent when it has.',
  },
  {
    name: 'webhook',
    title: 'Receive webhooks and verify them',
    text:
      'An endpoint is a public `https` URL. For one on this machine start with `WEBHOOKS_ALLOW=http://127.0.0.1:9000 npm start`. The `secret` is in this ' +
      'answer alone. Verify the signature over the raw bytes, before anything parses them.',
  },
] as const;
export type StepName = (typeof steps)[number]['name'];
