/** The reference page: Redoc renders the published document in the browser. */
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
 * Everything is loaded from this origin. Redoc needs inline styles (styled-components) and a worker from a blob for its search. The only
 * script is its own file.
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
