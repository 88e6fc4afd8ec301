import { randomUUID } from 'node:crypto';
import { iso, systemClock } from '@svc/kernel';
import { SimulatorProcess } from '../../testing/simulator-process.ts';
import { authoritiesOf } from '../authorities.ts';
import { authoritySuite, type Tested } from '../testing/authority.suite.ts';
import { publishedClient } from '../testing/published.ts';
import { at21, esInvoice } from './testing/documents.ts';

let simulator: SimulatorProcess;
let client: Tested['client'];
beforeAll(async () => {
  [simulator, client] = await Promise.all([SimulatorProcess.start('es-verifactu'), publishedClient('es-verifactu')]);
});
afterAll(() => simulator.stop());

describe('es-verifactu', () =>
  authoritySuite(() => {
    const { url: simulatorUrl, testUrls } = simulator;
    const authority = authoritiesOf({ simulatorUrl, testUrls }).test.get('es-verifactu');
    if (!authority) throw new Error('it is not served');
    const issued_at = iso(systemClock.now());
    return {
      ...{ authority, client },
      number: () => `INV-${randomUUID()}`,
      request: ({ number, total = 120 }) =>
        esInvoice({ lines: [at21(total)], over: { issued_at, issue_date: issued_at.slice(0, 10) } }, number),
    };
  }));
