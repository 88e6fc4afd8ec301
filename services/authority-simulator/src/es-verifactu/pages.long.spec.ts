import { spanishService } from '../testing/spanish-service.ts';
import type { Sent } from '../testing/verifactu-client.ts';

const spain = spanishService();
const hashOf = (text: string): string[] => [...text.matchAll(/<sfLRRC:Huella>([^<]*)</g)].map(([, hash = '']) => hash);

test('a query of a period has pages of 10,000 records', async () => {
  const records: Sent[] = [];
  for (let sent = 0; sent < 10; sent += 1) {
    const thousand = Array.from({ length: 1_000 }, () => spain.client.alta());
    await spain.client.send(thousand);
    records.push(...thousand);
  }
  const last = spain.client.alta();
  await spain.client.send([last]);
  const first = await spain.client.query();
  expect(hashOf(first.text)).toEqual(records.map(({ hash }) => hash));
  expect(first.text).toContain('<sfLRRC:IndicadorPaginacion>S<');
  const [, after = ''] = /<sfLRRC:ClavePaginacion>(.*)<\/sfLRRC:ClavePaginacion>/.exec(first.text) ?? [];
  const second = await spain.client.query({ after });
  expect(hashOf(second.text)).toEqual([last.hash]);
  expect(second.text).toContain('<sfLRRC:IndicadorPaginacion>N<');
});
