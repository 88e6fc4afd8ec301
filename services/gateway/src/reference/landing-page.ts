import { html } from './html.ts';
import { shell } from './shell.ts';

/** The page at `/`. */
export const landingPage = (publicUrl: string): string =>
  shell({
    title: 'Invoicing and Fiscal Submission',
    body: html`<p>
        A REST API for invoices, receipts and customers. What is submitted with a live key is registered at the national tax authority; a
        test key does all of it against a sandbox.
      </p>
      <ul>
        <li><a href="/docs">Reference</a>: from nothing to a fiscal code, then every endpoint, field and error</li>
        <li><a href="/openapi.json">OpenAPI document</a>: for clients and tools</li>
        <li><a href="/llms.txt">llms.txt</a>: the reference as Markdown</li>
      </ul>
      <p>A first request, with an API key of yours:</p>
      <pre tabindex="0">curl ${publicUrl}/v1/account -H "Authorization: Bearer svc_test_…"</pre>`,
  });
