export { Ledger, type LedgerRow } from './ledger.ts';
export { answering } from './requests.ts';
export type { Answer } from './answer.ts';
export { startSimulator } from './server.ts';
