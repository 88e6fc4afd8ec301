export { Ledger, type LedgerRow } from './ledger.ts';
export { answering, type SimulatorRequest } from './requests.ts';
export type { Answer } from './answer.ts';
export { startSimulator, type Simulator, type SimulatorOptions } from './server.ts';
