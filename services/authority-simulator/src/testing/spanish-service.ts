import { type ServedSimulator, serveSimulator } from './served.ts';
import { VerifactuClient } from './verifactu-client.ts';

/** The service of Spain for the tests of a file: at the start of each it is the same time, and `client` is an issuer of its own. */
export function spanishService() {
  let served: ServedSimulator;
  let client: VerifactuClient;
  let issuers = 0;
  beforeAll(async () => {
    served = await serveSimulator('es-verifactu');
  });
  beforeEach(() => {
    served.clock.set('2026-11-10T10:00:00Z');
    client = new VerifactuClient(served, `B${String((issuers += 1)).padStart(7, '0')}A`);
  });
  afterAll(() => served.close());
  return {
    get served(): ServedSimulator {
      return served;
    },
    get client(): VerifactuClient {
      return client;
    },
  };
}
