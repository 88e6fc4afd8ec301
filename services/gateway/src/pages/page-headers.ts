/**
 * Headers of the dashboard's page. Scripts and styles come from this origin; style elements of the component library have the nonce. Nothing frames it, and text
 * becomes markup by the page's one policy of Trusted Types alone. It is stored nowhere, so that a browser asks for the files of the newest build.
 */
export const pageHeaders = (nonce: string): Record<string, string> => ({
  ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'", // PDFs, beside a document
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; '),
  ...{ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' },
  'cross-origin-opener-policy': 'same-origin',
});

/** Headers of what never changes under its name. */
export const assetHeaders = {
  ...{ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' },
  ...{ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' },
};
