import { counting, citing, signed } from '../counting.ts';
import { CITED } from '../report.ts';

export const products = counting({
  name: 'products',
  description: 'What was sold of each product; lines without a product do not count.',
  groupings: [],
  columns: () => ({ of: ['product_id', 'currency'], sums: ['documents', 'quantity', 'net'], cited: CITED }),
  parts: (posting) =>
    posting.figures.products.map(({ product_id, quantity, subtotal }) => {
      const net = signed(posting.figures, subtotal);
      return {
        key: { product_id },
        currency: posting.currency,
        amounts: { quantity: signed(posting.figures, quantity), net },
        cites: citing(posting, net),
      };
    }),
});
