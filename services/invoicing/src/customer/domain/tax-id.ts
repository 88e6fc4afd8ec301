/** Whether the number can be a tax id of the country (ISO 3166-1, two letters), of a company or of a person; also true where no rule is known. */
export type TaxIdCheck = (country: string, taxId: string) => boolean;

/** The message of validation_error for `tax_id`. */
export const noTaxIdOf = (country: string): string => `is no tax id of ${country}: check its digits, or address.country`;
