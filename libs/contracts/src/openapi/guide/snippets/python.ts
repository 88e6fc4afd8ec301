import type { Snippet } from './snippet.ts';

export const python: Snippet = {
  before: `import base64
import hashlib
import hmac
import re
import time


`,
  service: `def is_genuine(body: bytes, signature: str, secret: str) -> bool:
    """body: the bytes as received, before any JSON parser."""
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())
`,
  standard: `

def is_genuine_now(body: bytes, id: str, timestamp: str, signatures: str, secret: str, now: float | None = None) -> bool:
    """id, timestamp, signatures: the headers webhook-id, webhook-timestamp, webhook-signature."""
    now = time.time() if now is None else now
    if not id or not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))
`,
  after: '',
};
