// What the twelve shapes are in each country. `rates`: of VAT, per cent, the usual one first. `exemption`: in the authority's words. `refused`: shapes that the
// authority cannot say, with the rule that refuses them.
export const countries = {
  'al-cis': {
    customer: { name: 'Blerësi sh.p.k.', tax_id: 'K72410014D', address: { line1: 'Rruga Myslym Shyri 2', city: 'Tirana', country: 'AL' } },
    ...{ currency: 'ALL', rates: [20, 10, 6], exemption: 'TYPE_1', foreign: { currency: 'EUR', exchange_rate: 98.765 } },
    refused: {},
  },
  'es-verifactu': {
    customer: { name: 'Cliente de prueba SL', tax_id: 'B12345674', address: { line1: 'Calle Mayor 2', city: 'Madrid', country: 'ES' } },
    ...{ currency: 'EUR', rates: [21, 10, 4], exemption: 'E1', foreign: { currency: 'USD', exchange_rate: 0.92 } },
    refused: {},
  },
  'me-efi': {
    customer: { name: 'Kupac DOO', tax_id: '02089785', address: { line1: 'Ulica slobode 2', city: 'Podgorica', country: 'ME' } },
    ...{ currency: 'EUR', rates: [21, 15, 7], exemption: 'VAT_CL26', foreign: { currency: 'USD', exchange_rate: 0.92 } },
    refused: { 'reverse charge': 'me-efi.taxes' },
  },
};
