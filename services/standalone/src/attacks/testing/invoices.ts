/** Characters of the longest description. */
const LONGEST = 2_000;

/** The largest invoice that a request of 256 KiB can ask for by its text: some `kilobytes` of it, in lines with long descriptions. */
export function longInvoice(customer: string, kilobytes: number) {
  const lines = Math.floor((kilobytes * 1024) / (LONGEST + 100));
  const line = (n: number) => ({ description: `${n} `.padEnd(LONGEST, 'x'), quantity: 1, unit_price: '1.00', tax_rate: 20 });
  return { customer_id: customer, items: Array.from({ length: lines }, (_, n) => line(n)) };
}

/** Lines and taxes at their limits, short of text. */
export function wideInvoice(customer: string, { lines = 500, taxes = 10 } = {}) {
  const tax = (n: number) => ({ category: `T${n}`, rate: `${n + 1}.5`, code: 'S' });
  const line = (n: number) => ({ description: `${n}`, unit_price: '1.01', taxes: Array.from({ length: taxes }, (_, at) => tax(at)) });
  return { customer_id: customer, items: Array.from({ length: lines }, (_, n) => line(n)) };
}
