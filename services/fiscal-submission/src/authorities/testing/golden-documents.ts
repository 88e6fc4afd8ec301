import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { original, shapes as albanian, alInvoice } from '../al-cis/testing/documents.ts';
import { at21, esInvoice, shapes as spanish } from '../es-verifactu/testing/documents.ts';
import { meInvoice, shapes as montenegrin } from '../me-efi/testing/documents.ts';

/** What each authority is sent for, in the order in which it is listed; a void is a corrective or, in Spain, an annulment. */
export const goldenShapes = [
  ...['standard', 'cash receipt', 'credit note', 'corrective', 'void', 'reverse charge', 'exempt', 'several rates', 'discount'],
  ...['foreign currency', 'late', '500 lines'],
];

/** Ten per cent off the first of two lines, and fifteen off the document, at one rate. */
function discounted(rate: number): object {
  const [base, amount] = [175, Math.round(175 * rate) / 100];
  const tax_breakdown = [{ category: 'VAT', code: 'S', rate, retained: false, base, amount }];
  return { tax_breakdown, subtotal: base, tax_total: amount, total: base + amount };
}
const lines = (rate: number) => [
  { amount: 90, tax: { rate } },
  { amount: 100, quantity: 2, tax: { rate } },
];
const named = (shapes: Record<string, RegistrationRequested>, name: string): RegistrationRequested => {
  const found = shapes[name];
  if (!found) throw new Error(`there is no shape ${name}`);
  return found;
};
const common = ['standard', 'credit note', 'corrective', 'exempt', 'several rates', 'foreign currency', '500 lines'];
const commonOf = (shapes: Record<string, RegistrationRequested>) => common.map((name) => [name, named(shapes, name)] as const);
const takenBack = (rate: number) => ({
  ...{ lines: [{ quantity: -1, amount: -100, tax: { rate } }], document: { type: 'corrective', corrects: 'inv_0' }, over: { original } },
});

/** By authority and name of the shape. Montenegro has no reverse charge. */
export const goldenDocuments: Record<string, Record<string, RegistrationRequested>> = {
  'al-cis': {
    ...Object.fromEntries([
      ...commonOf(albanian),
      ...['cash receipt', 'reverse charge', 'late'].map((name) => [name, named(albanian, name)]),
    ]),
    void: alInvoice(takenBack(20)),
    discount: alInvoice({ lines: lines(20), document: discounted(20) }),
  },
  'es-verifactu': {
    ...Object.fromEntries([...commonOf(spanish), ['reverse charge', named(spanish, 'reverse charge')]]),
    'cash receipt': named(spanish, 'receipt'),
    void: named(spanish, 'standard'),
    discount: esInvoice({ lines: lines(21), document: discounted(21) }),
    late: esInvoice({ lines: [at21(60)] }),
  },
  'me-efi': {
    ...Object.fromEntries([...commonOf(montenegrin), ...['cash receipt', 'late'].map((name) => [name, named(montenegrin, name)])]),
    void: meInvoice(takenBack(21)),
    discount: meInvoice({ lines: lines(21), document: discounted(21) }),
  },
};
