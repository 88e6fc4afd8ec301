import type { StepName } from './steps.ts';

export const curl = (api: string): Record<StepName, string> => ({
  key: `API=\${API:-${api}}
KEY=\${KEY:-svc_test_…}
curl -s $API/account -H "Authorization: Bearer $KEY"
`,
  customer: `CUSTOMER=$(curl -s $API/customers -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"name":"Blue Door Books"}' | sed 's/.*"id":"\\(cust_[^"]*\\)".*/\\1/')
`,
  invoice: `INVOICE=$(curl -s $API/invoices -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"customer_id":"'$CUSTOMER'","items":[{"description":"Consulting","quantity":2,"unit_price":50.25,"tax_rate":20}]}' \\
  | sed 's/.*"id":"\\(inv_[^"]*\\)".*/\\1/')
`,
  submit: `curl -s -X POST $API/invoices/$INVOICE/submit -H "Authorization: Bearer $KEY" -H 'Prefer: wait=10' \\
  | sed 's/.*"fiscal_code":"\\([^"]*\\)".*/fiscal code: \\1/'
`,
  webhook: `SECRET=$(curl -s $API/webhooks -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"url":"'\${WEBHOOK_URL:-http://127.0.0.1:9000/hook}'","events":["*"]}' | sed 's/.*"secret":"\\([^"]*\\)".*/\\1/')
# Of what arrives: the body in body.json must give the value of X-Service-Signature.
# openssl dgst -sha256 -hmac "$SECRET" body.json
echo "secret: $SECRET"
`,
});
