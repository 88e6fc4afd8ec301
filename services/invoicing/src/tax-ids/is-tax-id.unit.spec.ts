import { isTaxIdOf } from './is-tax-id.ts';

describe('a tax id', () => {
  test.each([
    ['a company where the library lists rules of persons alone', { ME: ['02655284'], MK: ['4030000375897'], TH: ['0 10 5 544 04660 2'] }],
    [
      'any number where no rule of companies is known',
      { BA: ['4227129860004'], HK: ['12345678'], MY: ['C 20880050010'], MU: ['20123456'] },
    ],
    ['any number where the library knows persons alone', { CU: ['30000000001'], BO: ['1023456019'], GH: ['GHA-123456789-0'] }],
    ['any number where nothing is known', { AQ: ['whatever-17'], GP: ['FR40303265045'] }],
    ['a person', { ES: ['54362315K'], ME: ['2106941231195'], MX: ['BOXW310820HNERXN09'], IN: ['234123412346'], SG: ['S1234567D'] }],
    ['the whole number of the authority', { HU: ['12892312-2-41', 'HU12892312', '12892312'], RU: ['7707083893/770701001'] }],
    ['the prefix of the country, and separators', { GR: ['EL 094279805', 'GR094279805'], DK: ['DK: 21599336'], CZ: ['CZ 25123891'] }],
    ['the prefix of a part of the country', { GB: ['XI 432525179', 'GB 432 5251 79'] }],
    ['a qualified invoice issuer', { JP: ['T7000012050002', 'T8810000000001', '7000-0120-5000-2'] }],
    ['numbers of the goods and services tax', { IN: ['27AAPFU0939F1ZV', '29AAAEL1234C1ZX', 'AAPFU0939F'], SG: ['M2-1234567-K'] }],
    ['numbers with a check digit that the authority does not keep', { SV: ['0614-050707-104-7'], MX: ['ALC920108P18'], DO: ['501676936'] }],
    ['numbers of 16 digits', { ID: ['3171011708450001', '01.312.166.0-091.000', '03.026.787.6-805.000'] }],
    ['numbers that are newer than the library', { US: ['97-1234567'], TW: ['10000171'], EC: ['1793221293001'], UY: ['220018800014'] }],
    ['Steuernummern', { DE: ['123/456/7890', 'DE136695976', '136695976'] }],
    ['companies of every first digit', { BG: ['831919536', 'BG 175074752'] }],
    ['numbers of registers that are no tax numbers', { SI: ['8982279A00'], SK: ['31322832'] }],
    ['lower case and the country in lower case', { fr: ['fr40303265045'], mx: ['alc920108p18'] }],
  ])('accepts %s', (_, numbers) => {
    const refused = Object.entries(numbers).flatMap(([country, ids]) => ids.filter((id) => !isTaxIdOf(country, id)));
    expect(refused).toEqual([]);
  });

  test.each([
    ['AL', 'J91402501'],
    ['AT', 'U13585626'],
    ['BR', '16.727.230/0001-98'],
    ['CH', 'CHE-100.155.213'],
    ['CN', '91110000600037341M'],
    ['DE', '136695978'],
    ['ES', 'J99216583'],
    ['FR', 'FR41303265045'],
    ['FR', 'T01JH2K3M4N5P6Q7R8S9T0V1W2X'],
    ['GB', 'GB980780685'],
    ['GR', 'EL094279806'],
    ['HU', '12892313-2-41'],
    ['IN', '27AAPFU0939F1ZO'],
    ['IT', '00743110158'],
    ['JP', '8000012050002'],
    ['ME', '02655285'],
    ['MK', '4030000375890'],
    ['PL', '8567346216'],
    ['RU', '7707083894/770701001'],
    ['SV', '0614-050707-104'],
    ['TH', '0105544046603'],
    ['UY', '210000000001'],
    ['US', '12-345678'],
    ['VE', 'V114702835'],
    ['VE', 'V11470283'],
  ])('of %s is not %s', (country, taxId) => expect(isTaxIdOf(country, taxId)).toBe(false));
});
