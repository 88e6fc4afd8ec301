import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currencies } from '@svc/kernel';
import { rulesOfAuthority } from '@svc/tax-rules';
import { schemas } from '../xml/testing/schema.ts';

const own = { 'al-cis': 'ALL', 'me-efi': 'EUR' };

function listedIn(file: string): string[] {
  const schema = readFileSync(join(String(schemas), file), 'utf8');
  const [, list = ''] = /<(?:\w+:)?simpleType name="CurrencyCodeSType">([^]*?)<\/(?:\w+:)?simpleType>/.exec(schema) ?? [];
  return Array.from(list.matchAll(/enumeration value="(\w+)"/g), ([, code]) => String(code));
}

// Without FISCAL_XSD_DIR there are no schemas: they are not ours to give on.
(schemas ? test : test.skip).each(Object.entries(own))('%s is sent the currencies of its schema, and no others', (id, currency) => {
  const listed = listedIn(`${id.slice(0, 2)}/${id.slice(0, 2)}.xsd`);
  const check = rulesOfAuthority(id)?.checks['currencies'];
  const isRefused = (code: string): boolean =>
    (check?.({ currency: code } as Parameters<typeof check>[0], { country: null, currency }) ?? []).length > 0;
  expect(listed.length).toBeGreaterThan(100);
  expect(currencies.filter((code) => code !== currency && isRefused(code) === listed.includes(code))).toEqual([]);
});
