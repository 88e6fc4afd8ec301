import { vatIdOf } from './vat-id.ts';

describe('a VAT identifier', () => {
  test.each<readonly [string | undefined, string, string]>([
    ['ES', 'B58378431', 'ESB58378431'],
    ['GR', '094259216', 'EL094259216'],
    ['GR', 'EL094259216', 'EL094259216'],
    ['GR', 'GR 094259216', 'EL094259216'],
    ['BE', 'be 0428.759.497', 'BE0428759497'],
    ['MC', 'FR40000066034', 'FR40000066034'],
    ['MC', '40000066034', 'FR40000066034'],
    ...['RE', 'GP', 'MQ', 'GF', 'YT', 'MF', 'BL'].flatMap((country) => [
      [country, '40303265045', 'FR40303265045'] as const,
      [country, 'FR 40 303 265 045', 'FR40303265045'] as const,
    ]),
    ['AX', '1234567-1', 'FI12345671'],
    ['IM', '003 1367 31', 'GB003136731'],
    ['GB', 'GB980780684', 'GB980780684'],
    ['GB', 'XI 432525179', 'XI432525179'],
    ['CH', 'CHE-100.155.212 MWST', 'CHE100155212MWST'],
    ['LI', 'CHE-100.155.212 TVA', 'CHE100155212TVA'],
    ['NO', '995 525 828 MVA', 'NO995525828MVA'],
    ['NO', 'NO995525828MVA', 'NO995525828MVA'],
    ['NL', 'NL002455799B11', 'NL002455799B11'],
    ['AT', 'U13585627', 'ATU13585627'],
    ['SE', 'SE123456789701', 'SE123456789701'],
    ['AE', 'DE136695976', 'DE136695976'],
    [undefined, 'DE 136 695 976', 'DE136695976'],
  ])('of %s %s is %s', (country, taxId, expected) => expect(vatIdOf(country, taxId)).toBe(expected));

  test.each<readonly [string | undefined, string]>([
    ['US', '12-3456789'],
    ['CH', 'CHE-100.155.212'],
    ['NO', '995525828'],
    ['AL', 'J91402501L'],
    ['ME', '02655284'],
    ['IN', '27AAPFU0939F1ZV'],
    ['GG', '12345'],
    ['HU', '12892312-2-41'],
    ['DE', '123/456/78901'],
    ['FR', '303265045'],
    ['FR', 'FR303265045'],
    ['FR', 'T01JH2K3M4N5P6Q7R8S9T0V1W2X'],
    ['IT', 'RCCMNL83S18D969H'],
    ['PL', '44051401359'],
    ['SE', '556703-7485'],
    ['XX', 'XX123456789'],
    [undefined, '136695976'],
  ])('of %s is not %s', (country, taxId) => expect(vatIdOf(country, taxId)).toBeUndefined());
});
