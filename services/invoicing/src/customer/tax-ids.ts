import type { CustomerBody, TaxIdCheck } from './domain/fields.ts';

const anything: TaxIdCheck = () => true;

/** Checks the tax id if this body can change it or its country. Loaded on first use: loading takes longer than the rest of the start. */
export async function taxIdCheck(body: CustomerBody): Promise<TaxIdCheck> {
  if (!body.tax_id && !body.address?.country) return anything;
  const { isTaxIdOf } = await import('./tax-id-check.ts');
  return isTaxIdOf;
}
