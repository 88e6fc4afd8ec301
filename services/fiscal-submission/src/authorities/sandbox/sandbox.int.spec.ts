import { randomUUID } from 'node:crypto';
import { registrationRequested } from '../../testing/system.ts';
import { SimulatorProcess } from '../../testing/simulator-process.ts';
import { authoritySuite } from '../testing/authority.suite.ts';
import { sandboxAuthority } from './sandbox.ts';

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await SimulatorProcess.start();
});
afterAll(() => simulator.stop());

describe('the sandbox', () =>
  authoritySuite(() => ({
    authority: sandboxAuthority(simulator.url),
    number: () => `INV-${randomUUID()}`,
    request({ taxpayer, number, total = 120.6 }) {
      const asked = registrationRequested(`inv_${taxpayer}`, '2026-03-01T10:00:00.000Z');
      return { ...asked, number, document: { ...asked.document, total } } as typeof asked;
    },
  })));
