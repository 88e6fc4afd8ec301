import { snippets } from '../snippets/snippets.ts';
import type { StepName } from './steps.ts';

export const python = (api: string): Record<StepName, string> => ({
  key: `import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

api = os.environ.get("API", "${api}")
key = os.environ.get("KEY", "svc_test_…")


def call(method, path, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    sent = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", **headers}
    try:
        with urlopen(Request(api + path, data, sent, method=method)) as answer:
            return json.load(answer)
    except HTTPError as failed:
        error = json.load(failed)["error"]
        raise SystemExit(f"{error['code']}: {error['message']} ({error['request_id']})")
`,
  customer: `customer = call("POST", "/customers", {"name": "Blue Door Books"})
`,
  invoice: `invoice = call("POST", "/invoices", {
    "customer_id": customer["id"],
    "items": [{"description": "Consulting", "quantity": 2, "unit_price": "50.25", "tax_rate": 20}],
})
`,
  submit: `submitted = call("POST", f"/invoices/{invoice['id']}/submit", headers={"Prefer": "wait=10"})
print("fiscal code:", submitted["fiscal_code"])
`,
  webhook: `import hashlib
import hmac
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit


${snippets.python.service}

url = os.environ.get("WEBHOOK_URL", "http://127.0.0.1:9000/hook")
endpoint = call("POST", "/webhooks", {"url": url, "events": ["*"]})
seen = set()


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(body, self.headers.get("X-Service-Signature", ""), endpoint["secret"])
        self.send_response(200 if genuine else 401)
        self.end_headers()
        event = json.loads(body) if genuine else {}
        if genuine and event["id"] not in seen:
            seen.add(event["id"])
            print("event:", event["type"])


server = HTTPServer(("127.0.0.1", urlsplit(url).port), Hook)
call("PATCH", f"/customers/{customer['id']}", {"phone": "+44 20 7946 0000"})
server.handle_request()
`,
});
