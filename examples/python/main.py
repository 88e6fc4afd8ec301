"""From a customer to a credit note, with a client that is generated from the product's own OpenAPI document (see ../README.md)."""

import hashlib
import hmac
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Event as Signal
from threading import Thread
from urllib.parse import urlsplit

from client.invoicing import AuthenticatedClient
from client.invoicing.api.customers import create_customer, list_customers
from client.invoicing.api.invoices import create_invoice, submit_invoice, update_invoice
from client.invoicing.api.webhooks import create_webhook
from client.invoicing.models import (
    CreateCustomer,
    CreateInvoice,
    CreateWebhook,
    DocumentType,
    Error,
    EventSubscription,
    InvoiceEvent,
    ItemInput,
    UpdateInvoice,
)

url = os.environ.get("WEBHOOK_URL", "http://127.0.0.1:9000/hook")
api = AuthenticatedClient(base_url=os.environ.get("API", "http://localhost:3000/v1"), token=os.environ["KEY"], timeout=30)


def done(answer):
    """The answer; ends the program with the error's words."""
    if answer is None or isinstance(answer, Error):
        raise SystemExit(answer and f"{answer.error.code}: {answer.error.message} ({answer.error.request_id})")
    return answer


def is_genuine(body: bytes, signature: str, secret: str) -> bool:
    """body: the bytes as received, before any JSON parser."""
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


# The endpoint that receives events. Only genuine ones are accepted.
endpoint = done(create_webhook.sync(client=api, body=CreateWebhook(url=url, events=[EventSubscription.INVOICE_SUBMITTED])))
received: list[InvoiceEvent] = []
has_come = Signal()


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(body, self.headers.get("X-Service-Signature", ""), endpoint.secret)
        self.send_response(200 if genuine else 401)
        self.end_headers()
        if genuine:
            received.append(InvoiceEvent.from_dict(json.loads(body)))
            has_come.set()

    def log_message(self, *_):
        pass


Thread(target=HTTPServer(("127.0.0.1", urlsplit(url).port), Hook).serve_forever, daemon=True).start()

customer = done(create_customer.sync(client=api, body=CreateCustomer(name="Blue Door Books")))


def item(quantity: int) -> ItemInput:
    """An amount can be a number or, exact in every language, a string."""
    return ItemInput(description="Consulting", quantity=quantity, unit_price="50.25", tax_rate=20)


def submitted(draft):
    """Waits for the authority's answer at most 10 seconds."""
    return done(submit_invoice.sync(draft.id, client=api, prefer="wait=10"))


invoice = submitted(done(create_invoice.sync(client=api, body=CreateInvoice(customer_id=customer.id, items=[item(2)]))))
if not has_come.wait(30):
    raise SystemExit("no webhook within 30 seconds")

credit = CreateInvoice(customer_id=customer.id, type_=DocumentType.CREDIT_NOTE, corrects=invoice.id, items=[item(1)])
credit_note = submitted(done(create_invoice.sync(client=api, body=credit)))

# Pages: until the last one.
for n in range(1, 5):
    done(create_customer.sync(client=api, body=CreateCustomer(name=f"Customer {n}")))
ids: list[str] = []
pages = 0
last = 1
while pages < last:
    pages += 1
    listed = done(list_customers.sync(client=api, page=pages, per_page=2))
    ids += [one.id for one in listed.data]
    last = listed.meta.last_page

# Errors: the code decides, `issues` names the fields.
wrong = create_invoice.sync(client=api, body=CreateInvoice(customer_id=customer.id, items=[ItemInput(unit_price="much")]))
late = update_invoice.sync(invoice.id, client=api, body=UpdateInvoice(), if_match='"99"')

print(
    json.dumps(
        {
            "invoice": invoice.id,
            "number": invoice.number,
            "total": invoice.total,
            "fiscal_code": invoice.fiscal_code,
            "event": received[0].type_,
            "event_number": received[0].data.number,
            "credit_note": credit_note.number,
            "credit_note_total": credit_note.total,
            "customers": len(ids),
            "pages": pages,
            "error": wrong.error.code,
            "field": wrong.error.issues[0].field,
            "conflict": late.error.code,
        }
    )
)
