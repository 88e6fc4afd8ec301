const SERVICE = 'Consulting';

/**
 * The twelve shapes of documents, by name, in an order in which each finds what it corrects. `shop` issues them: `invoice(body)` and `receipt(body)` answer the
 * registered document, `voided(document)` the voided one, `late(body)` what was registered late. A shape answers its document.
 * @param country of countries.mjs
 */
export function shapesOf({ rates, exemption, foreign }, shop) {
  const taxed = (unit_price, over = {}) => ({ description: SERVICE, unit_price, ...over });
  const untaxed = (code, over = {}) => ({ category: 'VAT', rate: 0, code, ...over });
  const [, ...lower] = rates;
  return {
    standard: () => shop.invoice({ items: [taxed(50.25, { quantity: 2 })] }),
    'cash receipt': () => shop.receipt({ items: [{ description: 'Notebook', unit_price: 3.5 }], payment_method: 'cash' }),
    'credit note': async () => {
      const { id } = await shop.invoice({ items: [taxed(40)] });
      return shop.invoice({ type: 'credit_note', corrects: id, items: [taxed(15)] });
    },
    corrective: async () => {
      const { id } = await shop.invoice({ items: [taxed(20, { quantity: 3 })] });
      return shop.invoice({ type: 'corrective', corrects: id, items: [taxed(20, { quantity: -1 })] });
    },
    void: async () => shop.voided(await shop.invoice({ items: [taxed(70)] })),
    'reverse charge': () => shop.invoice({ items: [taxed(80, { taxes: [untaxed('AE', { exemption_reason: 'Reverse charge' })] })] }),
    exempt: () => {
      const reason = { exemption_code: exemption, exemption_reason: 'Exempt by the VAT law' };
      return shop.invoice({ items: [taxed(80, { taxes: [untaxed('E', reason)] }), taxed(20)] });
    },
    'several rates': () =>
      shop.invoice({ items: [taxed(10), ...lower.map((tax_rate, n) => taxed(20.05 + n, { tax_rate })), taxed(33.33)] }),
    discount: () =>
      shop.invoice({
        items: [taxed(100, { discounts: [{ percent: 10, reason: 'Loyalty' }] }), taxed(50, { quantity: 2 })],
        discounts: [{ amount: 15, reason: 'Season' }],
      }),
    'foreign currency': () => shop.invoice({ ...foreign, items: [taxed(100)] }),
    '500 lines': () => shop.invoice({ items: Array.from({ length: 500 }, (_, n) => taxed(n + 0.25, { description: `Line ${n + 1}` })) }),
    late: () => shop.late({ items: [taxed(60)] }),
  };
}
