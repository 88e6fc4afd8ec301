type IsTaxIdOf = (country: string, taxId: string) => boolean;

const anything: IsTaxIdOf = () => true;

/** What of a body decides whether its tax id is judged. */
interface TaxIdBody {
  tax_id?: string | null;
  address?: object | null;
  country?: string | null;
}

/** Judges the tax id if this body can change it or its country. Loaded on first use: loading takes longer than the rest of the start. */
export async function taxIdCheck({ tax_id, address, country }: TaxIdBody): Promise<IsTaxIdOf> {
  if (!tax_id && address === undefined && !country) return anything;
  const { isTaxIdOf } = await import('./is-tax-id.ts');
  return isTaxIdOf;
}
