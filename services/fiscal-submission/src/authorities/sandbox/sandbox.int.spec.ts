import { SimulatorProcess } from '../../testing/simulator-process.ts';
import { authoritySuite } from '../testing/authority.suite.ts';
import { sandboxAuthority } from './sandbox.ts';

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await SimulatorProcess.start();
});
afterAll(() => simulator.stop());

describe('the sandbox', () => authoritySuite(() => sandboxAuthority(simulator.url)));
