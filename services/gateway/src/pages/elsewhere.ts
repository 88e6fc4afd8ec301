import { html } from '../reference/html.ts';

/** True if a request names the host of `publicUrl`, whatever the case and with or without the default port. */
export function isOfHost(publicUrl: string, host: string | undefined): boolean {
  const { protocol, host: own } = new URL(publicUrl);
  return URL.parse(`${protocol}//${host ?? ''}`)?.host === own;
}

/** What another host answers in the place of the dashboard's page: its address. `path` is not repeated, since whoever made the link chose it. */
export const elsewherePage = (publicUrl: string): string =>
  html`<!doctype html>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>The dashboard has another address</title>
    <p>The dashboard is at <a href="${publicUrl}/">${publicUrl}</a>. The <a href="/docs">reference</a> of the API is here.</p> `.text;

export const elsewhereHeaders = {
  ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  ...{ 'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'", 'x-content-type-options': 'nosniff' },
};
