import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testAnchors } from '@svc/fiscal-submission/authorities/test-certificates';
import { hasXmlsec, verifyByXmlsec } from '@svc/fiscal-submission/authorities/testing/xmlsec';
import { schemaOf, schemas } from '@svc/fiscal-submission/xml/testing/schema';
import { runProgram } from '@svc/testkit';
import { nationalAuthorities, type AuthorityId } from './testing/shop.ts';

/** A row of `GET /wire` as the demo saves it. */
interface Exchange {
  n: number;
  request: string;
  response: string;
}
const SHAPES = 12;
/** That of Spain waits for three minutes until a record is late. */
const MOST_MS = 600_000;

async function demonstrated(authority: AuthorityId): Promise<{ output: string; exchanges: Exchange[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'wire-'));
  const args = ['--authority', authority, '--wire', folder];
  const { code, output } = await runProgram({ file: 'tools/demo.mjs', args, endMs: MOST_MS });
  const rows = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Exchange);
  rmSync(folder, { recursive: true });
  expect([code, output]).toEqual([0, expect.stringContaining('All as promised.')]);
  return { output, exchanges: rows.sort((a, b) => a.n - b.n) };
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
const signedIn = (message: string): string[] => [...new Set([...message.matchAll(/<(\w+) [^>]*Id="/g)].map(([, name]) => String(name)))];

test.each(nationalAuthorities)(
  'the demo of %s shows twelve shapes, and each message is valid and signed',
  async (authority) => {
    const { output, exchanges } = await demonstrated(authority);
    expect(output.match(/^\d+\. /gm)).toHaveLength(SHAPES + 1);
    expect(output.match(/: refused before a number is spent: /g) ?? []).toHaveLength(authority === 'me-efi' ? 1 : 0);
    expect(exchanges.map(({ n }) => n)).toEqual(exchanges.map((_, n) => n + 1));
    const messages = exchanges.flatMap(({ request, response }) => [decoded(request), decoded(response)]);
    // Without FISCAL_XSD_DIR there are no schemas: they are not ours to give on. xmlsec1 is a package of Debian.
    if (schemas) messages.forEach(schemaOf(`${authority.slice(0, 2)}/all.xsd`));
    if (hasXmlsec)
      for (const message of messages) for (const name of signedIn(message)) verifyByXmlsec(message, name, testAnchors[authority]);
    expect(messages.flatMap(signedIn).length).toBe(authority === 'es-verifactu' ? 0 : messages.length);
  },
  MOST_MS,
);
