import { iso, systemClock } from '@svc/kernel';
import { SimulatorProcess } from '../../testing/simulator-process.ts';
import { authoritiesOf } from '../authorities.ts';
import { authoritySuite } from '../testing/authority.suite.ts';
import { publishedSigner } from '../testing/published.ts';
import { at21, meInvoice, numberOf } from './testing/documents.ts';

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await SimulatorProcess.start('me-efi');
});
afterAll(() => simulator.stop());

let seq = 0;

describe('me-efi', () =>
  authoritySuite(() => {
    const { url: simulatorUrl, testUrls } = simulator;
    const authority = authoritiesOf({ simulatorUrl, testUrls }).test.get('me-efi');
    if (!authority) throw new Error('it is not served');
    const issued_at = iso(systemClock.now());
    return {
      ...{ authority, sign: publishedSigner('me-efi') },
      number: () => numberOf((seq += 1), Number(issued_at.slice(0, 4))),
      request: ({ number, total = 120 }) =>
        meInvoice({ lines: [at21(total)], over: { number, seq: Number(number.split('/')[1]), issued_at } }),
    };
  }));
