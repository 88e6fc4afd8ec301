import { namespaceOf } from './namespace.ts';

describe('namespaces in one store', () => {
  const invoice = 'invoice-live.acct_1.inv_1';

  test.each([
    ['', invoice],
    ['dev', `dev_${invoice}`],
  ])("in '%s' a stream is stored as %s, and mapped back", (name, stored) => {
    expect(namespaceOf(name).stored(invoice)).toBe(stored);
    expect(namespaceOf(name).own(stored)).toBe(invoice);
  });

  test.each([
    ['', `dev_${invoice}`],
    ['dev', invoice],
    ['dev', `dev2_${invoice}`],
    ['dev', `dev_other_${invoice}`],
    ['', '$$$scavenges'],
    ['', '$ce-invoice'],
    ['', 'loose'],
    ['', 'user-1'],
    ['', 'invoice-4711'],
    ['', 'order-test.shop.7'],
    ['dev', 'dev_user-1'],
  ])("in '%s', %s belongs to another system", (name, stored) => {
    expect(namespaceOf(name).own(stored)).toBeUndefined();
  });
});
