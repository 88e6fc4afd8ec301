import type { DemoAccount } from '@svc/gateway';
import { createLogger } from '@svc/service';

export interface ReadyFacts {
  /** `1.4.2+08bdcd3a` */
  release: string;
  publicUrl: string;
  opsPort: number;
  /** The keys that this start has made. */
  demo: DemoAccount | undefined;
  /** Id of the account that an earlier start made, if known. */
  account?: string | undefined;
  /** How the first owner signs in; undefined: by a password. */
  signIn?: string | undefined;
}

/**
 * Says that the system serves: as text on a terminal, with the keys that this start has made; elsewhere as one JSON line without them, since logs are kept and read by
 * others. `keysFile`: the file that has them then.
 */
export function showReady(facts: ReadyFacts, keysFile: string | undefined): void {
  if (process.stdout.isTTY) return console.log(readyMessage(facts));
  const { release, publicUrl, opsPort, demo, account = demo?.account_id, signIn } = facts;
  createLogger({ level: 'info', service: 'start' }).info(
    {
      ...{ release, api: `${publicUrl}/v1`, reference: `${publicUrl}/docs`, operators: `http://localhost:${opsPort}/readyz`, account },
      ...(demo && { first_keys: keysFile }),
      ...(signIn && { sign_in: signIn }),
    },
    'ready',
  );
}

/** The text that a start prints: addresses, and at the first start the keys and commands from nothing to a fiscal code. */
function readyMessage({ release, publicUrl, opsPort, demo, account, signIn }: ReadyFacts): string {
  const where = `
Ready.  Release ${release}
API ${publicUrl}/v1   reference ${publicUrl}/docs   operators http://localhost:${opsPort}/readyz
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
