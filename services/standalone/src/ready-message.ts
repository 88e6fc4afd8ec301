import type { DemoAccount } from '@svc/gateway';

export interface ReadyFacts {
  publicUrl: string;
  opsPort: number;
  /** The keys that this start has made. */
  demo: DemoAccount | undefined;
  /** Id of the account that an earlier start made, if known. */
  account?: string | undefined;
  /** How the first owner signs in; undefined: by a password. */
  signIn?: string | undefined;
}

/** The text that a start prints: addresses, and at the first start the keys and commands from nothing to a fiscal code. */
export function readyMessage({ publicUrl, opsPort, demo, account, signIn }: ReadyFacts): string {
  const where = `
Ready.  API ${publicUrl}/v1   reference ${publicUrl}/docs   operators http://localhost:${opsPort}/readyz
${signIn ? `Sign in to the dashboard, once: ${signIn}\n` : ''}`;
  if (!demo) {
    const whose = account ? `The keys of account ${account}` : 'The keys';
    return `${where}${whose} were shown at the first start. One that is lost: see "A lost key" in docs/first-steps.md.`;
  }
  return `${where}
Account "Demo" (${demo.account_id}), whose keys are shown this once:
  test key  ${demo.test_key}
  live key  ${demo.live_key}

From nothing to a fiscal code:
  KEY=${demo.test_key}
  CUSTOMER=$(curl -s ${publicUrl}/v1/customers -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"name":"Blue Door Books"}' | sed 's/.*"id":"\\(cust_[^"]*\\)".*/\\1/')
  INVOICE=$(curl -s ${publicUrl}/v1/invoices -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"customer_id":"'$CUSTOMER'","items":[{"description":"Consulting","quantity":2,"unit_price":50.25,"tax_rate":20}]}' | sed 's/.*"id":"\\(inv_[^"]*\\)".*/\\1/')
  curl -s -X POST ${publicUrl}/v1/invoices/$INVOICE/submit -H "Authorization: Bearer $KEY" -H 'Prefer: wait=10' | grep -oE '"(number|total|fiscal_code)":[^,]*'
`;
}
