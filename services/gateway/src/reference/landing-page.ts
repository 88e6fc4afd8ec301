import { html, page } from './html.ts';

/** The page at `/`. */
export const landingPage = (publicUrl: string): string =>
  page(
    'Invoicing and Fiscal Submission',
    html`<p>
        A REST API for invoices, receipts and customers. What is submitted with a live key is registered at the national tax authority; a
        test key does all of it against a sandbox.
      </p>
      <ul>
        <li><a href="/docs">Reference</a>: every endpoint, field and error</li>
        <li><a href="/openapi.json">OpenAPI document</a>: for clients and tools</li>
      </ul>
      <p>A first request, with an API key of yours:</p>
      <pre>curl ${publicUrl}/v1/account -H "Authorization: Bearer svc_test_…"</pre>`,
  );
