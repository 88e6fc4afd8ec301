/** Maximum length of a description. */
const LONGEST = 2_000;

/** An invoice with some `kilobytes` of text, in lines with long descriptions; a request may have 256 KiB. */
export function longInvoice(customer: string, kilobytes: number) {
  const lines = Math.floor((kilobytes * 1024) / (LONGEST + 100));
  const line = (n: number) => ({ description: `${n} `.padEnd(LONGEST, 'x'), quantity: 1, unit_price: '1.00', tax_rate: 20 });
  return { customer_id: customer, items: Array.from({ length: lines }, (_, n) => line(n)) };
}

/** An invoice with lines and taxes at their limits and little text. */
export function wideInvoice(customer: string, { lines = 500, taxes = 10 } = {}) {
  const tax = (n: number) => ({ category: `T${n}`, rate: `${n + 1}.5`, code: 'S' });
  const line = (n: number) => ({ description: `${n}`, unit_price: '1.01', taxes: Array.from({ length: taxes }, (_, at) => tax(at)) });
  return { customer_id: customer, items: Array.from({ length: lines }, (_, n) => line(n)) };
}
