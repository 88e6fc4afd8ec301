import type { TaxId } from '@svc/contracts/tax-id';
import { type Details, sameJson } from '@svc/kernel';

/** Whether the number can be a tax id of the country (ISO 3166-1, two letters), of a company or of a person; also true where no rule is known. */
export type TaxIdCheck = (country: string, taxId: string) => boolean;

/** The message of validation_error for `tax_id`. */
export const noTaxIdOf = (country: string): string => `is no tax id of ${country}: check its digits, or address.country`;

/** The further numbers that their countries would not give. Passports and others have no rule; one that is stored stays. */
export function wrongTaxIds(taxIds: readonly TaxId[], stored: readonly TaxId[], isTaxId: TaxIdCheck): Details {
  const isRight = (taxId: TaxId): boolean =>
    (taxId.kind !== 'vat' && taxId.kind !== 'national') ||
    stored.some((one) => sameJson(one, taxId)) ||
    isTaxId(taxId.country, taxId.value);
  return Object.fromEntries(
    taxIds.flatMap((taxId, n) =>
      isRight(taxId) ? [] : [[`tax_ids.${n}.value`, [`is no tax id of ${taxId.country}: check its digits, its country, or its kind`]]],
    ),
  );
}
