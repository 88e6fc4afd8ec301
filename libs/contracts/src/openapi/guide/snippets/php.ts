import type { Snippet } from './snippet.ts';

export const php: Snippet = {
  before: `<?php

`,
  service: `/** $body: the bytes as received, file_get_contents('php://input'). */
function is_genuine(string $body, string $signature, string $secret): bool
{
    return hash_equals(hash_hmac('sha256', $body, $secret), $signature);
}
`,
  standard: `
/** $id, $timestamp, $signatures: $_SERVER['HTTP_WEBHOOK_ID'], …_TIMESTAMP, …_SIGNATURE. */
function is_genuine_now(string $body, string $id, string $timestamp, string $signatures, string $secret, ?int $now = null): bool
{
    if ($id === '' || !preg_match('/^[0-9]{1,12}$/D', $timestamp) || abs(($now ?? time()) - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}
`,
  after: '',
};
