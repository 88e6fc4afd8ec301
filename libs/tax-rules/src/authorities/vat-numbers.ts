/** Numbers for VAT in other member states without their prefix, as VERI*FACTU takes them (validations 1.2.2, NIF-IVA). */
const forms: Readonly<Record<string, RegExp>> = {
  ...{ AT: /^[0-9A-Z]{9}$/, BE: /^\d{10}$/, BG: /^\d{9,10}$/, CY: /^[0-9A-Z]{9}$/, CZ: /^\d{8,10}$/, DE: /^\d{9}$/, DK: /^\d{8}$/ },
  ...{ EE: /^\d{9}$/, EL: /^\d{9}$/, FI: /^\d{8}$/, FR: /^[0-9A-Z]{11}$/, HR: /^\d{11}$/, HU: /^\d{8}$/, IE: /^[0-9A-Z]{8,9}$/ },
  ...{ IT: /^\d{11}$/, LT: /^(\d{9}|\d{12})$/, LU: /^\d{8}$/, LV: /^\d{11}$/, MT: /^\d{8}$/, NL: /^[0-9A-Z]{12}$/, PL: /^\d{10}$/ },
  ...{ PT: /^\d{9}$/, RO: /^[1-9]\d{1,9}$/, SE: /^\d{12}$/, SI: /^\d{8}$/, SK: /^\d{10}$/ },
  XI: /^([0-9A-Z]{5}|[0-9A-Z]{9}|[0-9A-Z]{12})$/,
};

/** Of a member state’s numbers (ISO 3166-1 alpha-2, but Greece’s); undefined: it is none, and has no numbers of VAT in the EU. */
export function vatPrefix(country: string): string | undefined {
  const prefix = country === 'GR' ? 'EL' : country;
  return prefix in forms ? prefix : undefined;
}

/** Whether it is one, with its prefix, of the country (ISO 3166-1 alpha-2). Northern Ireland’s is taken of any. */
export function isVatNumber(number: string, country: string): boolean {
  const prefix = number.slice(0, 2);
  const isOf = prefix === 'XI' || prefix === vatPrefix(country);
  return isOf && (forms[prefix]?.test(number.slice(2)) ?? false);
}
