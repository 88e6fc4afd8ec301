import { iso, systemClock } from '@svc/kernel';
import { SimulatorProcess } from '../../testing/simulator-process.ts';
import { authoritiesOf } from '../authorities.ts';
import { authoritySuite } from '../testing/authority.suite.ts';
import { publishedSigner } from '../testing/published.ts';
import { alInvoice } from './testing/documents.ts';

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await SimulatorProcess.start('al-cis');
});
afterAll(() => simulator.stop());

let seq = 0;

describe('al-cis', () =>
  authoritySuite(() => {
    const { url: simulatorUrl, testUrls } = simulator;
    const authority = authoritiesOf({ simulatorUrl, testUrls }).test.get('al-cis');
    if (!authority) throw new Error('it is not served');
    const issued_at = iso(systemClock.now());
    return {
      ...{ authority, sign: publishedSigner('al-cis') },
      number: () => `${(seq += 1)}/${issued_at.slice(0, 4)}`,
      request: ({ number, total = 120 }) =>
        alInvoice({ lines: [{ amount: total }], over: { number, seq: Number(number.split('/')[0]), issued_at } }),
    };
  }));
