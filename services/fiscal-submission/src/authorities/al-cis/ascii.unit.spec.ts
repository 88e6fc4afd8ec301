import { ascii, itemName, upTo } from './ascii.ts';

test.each([
  ['Çelësi i Tiranës', 'Celesi i Tiranes'],
  ['Đurđević & Søn – “Łódź”', 'Durdevic & Son - "Lodz"'],
  ['50 €', '50 EUR'],
  ['日本', '??'],
  ['Живко Ђурђевић – ЉУБА Љуба Њ', 'Zivko Durdevic - LJUBA Ljuba Nj'],
  ['Ѓорѓи Ќосев, Џон', 'Gjorgji Kjosev, Dzon'],
  ['Щукин и ЮРИЙ Объездов', 'Shchukin i YURIY Obezdov'],
  ['Їжак'.normalize('NFD'), 'Yizak'],
  ['Пѐја ѝ се смее, Ѝ', 'Peja i se smee, I'],
  ['Душанбе Тоҷикӣ', 'Dusanbe To?iki'],
  ['Ελλάδα ΟΎΖΟ ψωμί Θήβα', 'Ellada OUZO psomi Thiva'],
  ['a\tb\u00a0c', 'a b c'],
])('%s becomes %s', (text, written) => expect(ascii(text)).toBe(written));

test('a name that is too long ends with three dots', () => {
  expect(itemName('ë'.repeat(50))).toBe('e'.repeat(50));
  expect(itemName('ë'.repeat(51))).toBe(`${'e'.repeat(47)}...`);
});

test('nothing is written of an empty text', () =>
  expect([upTo(5, ' '), upTo(5, null), upTo(3, 'abcd')]).toEqual([undefined, undefined, 'abc']));
