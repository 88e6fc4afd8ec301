import { certified } from '../../xml/testing/certificates.ts';
import { authoritySuite } from '../testing/authority.suite.ts';
import { alCis } from './al-cis.ts';
import { alInvoice } from './testing/documents.ts';
import { alService } from './testing/service.ts';

const nais = certified({ name: 'Test NAIS', isAuthority: true });
const service = certified({ name: 'GDT eFiskalizimi' }, nais);
const taxpayer = certified({ name: 'Test taxpayer', serialNumber: 'L12345678A' }, nais);

let seq = 0;
const { http } = alService({ signer: service, taxpayers: { anchors: [nais.pem], signer: 'Test taxpayer' } });

describe('al-cis', () =>
  authoritySuite(() => ({
    authority: alCis({
      origin: 'https://service.test',
      page: 'https://page.test',
      trust: { anchors: [nais.pem], signer: 'GDT eFiskalizimi' },
    }),
    number: () => `${(seq += 1)}/2026`,
    http,
    sign: taxpayer.sign,
    request({ taxpayer: of, number, total = 120 }) {
      const tax_id = of === 'a' ? 'L12345678A' : 'M12345678B';
      return alInvoice({ lines: [{ amount: total }], issuer: { tax_id }, over: { number, seq: Number(number.split('/')[0]) } });
    },
  })));
