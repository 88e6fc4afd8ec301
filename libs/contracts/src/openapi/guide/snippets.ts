/** Code that verifies `X-Service-Signature`, by language. A spec runs each snippet. */
export const snippets = {
  typescript: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** body: the bytes as received, before any JSON parser. */
export function isGenuine(body: Uint8Array, signature: string, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
`,
  python: `import hashlib
import hmac


def is_genuine(body: bytes, signature: str, secret: str) -> bool:
    """body: the bytes as received, before any JSON parser."""
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())
`,
  go: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// IsGenuine takes the bytes as received, before any JSON parser.
func IsGenuine(body []byte, signature, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	given, err := hex.DecodeString(signature)
	return err == nil && hmac.Equal(given, mac.Sum(nil))
}
`,
  php: `<?php

/** $body: the bytes as received, file_get_contents('php://input'). */
function is_genuine(string $body, string $signature, string $secret): bool
{
    return hash_equals(hash_hmac('sha256', $body, $secret), $signature);
}
`,
};
