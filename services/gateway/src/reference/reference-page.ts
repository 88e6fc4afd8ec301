/** The reference: Redoc, which reads the published document from this origin and builds the page of it. */
export const referencePage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Invoicing and Fiscal Submission: reference</title>
    <style>
      body { margin: 0; }
    </style>
  </head>
  <body>
    <redoc spec-url="/openapi.json" hide-hostname="true" required-props-first="true" sort-props-alphabetically="false" json-sample-expand-level="3"></redoc>
    <noscript>This page needs JavaScript. The same as a document: <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/redoc.js"></script>
  </body>
</html>
`;

/**
 * Everything comes from this origin. Redoc writes style elements (styled-components) and searches in a worker made of a blob; no script but
 * its own file runs.
 */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  'worker-src blob:',
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
