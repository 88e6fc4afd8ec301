type IsTaxIdOf = (country: string, taxId: string) => boolean;

const anything: IsTaxIdOf = () => true;

/** What of a body decides whether tax ids are judged. */
interface TaxIdBody {
  tax_id?: string | null;
  tax_id_kind?: string | null;
  tax_ids?: readonly object[] | null;
  address?: object | null;
  country?: string | null;
}

/** Judges tax ids if this body can change one or its country. Loaded on first use: loading takes longer than the rest of the start. */
export async function taxIdCheck({ tax_id, tax_id_kind, tax_ids, address, country }: TaxIdBody): Promise<IsTaxIdOf> {
  if (!tax_id && tax_id_kind === undefined && !tax_ids?.length && address === undefined && !country) return anything;
  const { isTaxIdOf } = await import('./is-tax-id.ts');
  return isTaxIdOf;
}
