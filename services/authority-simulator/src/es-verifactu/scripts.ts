import { countOf, type Fault } from '../wires/faults.ts';
import type { Reply } from '../wires/wire.ts';
import { clientFault, serverFault } from './answers.ts';
import { FOREIGN_REQUEST } from './query.ts';
import { rejected, withWarning, type Line } from './line.ts';
import type { Invoice } from './invoices.ts';

/** Faults of a whole sending; all others are those of a record. */
const ofSending = new Set([
  ...['lost_request', 'lost_reply', 'error_after_accept', 'unavailable', 'slow', 'truncated', 'clock', 'wait', 'partial', 'fault_server'],
  ...['fault_client', 'suspended', 'certificate', 'query_blind'],
]);
export const isOfSending = ({ name }: Fault): boolean => ofSending.has(name);

const reasons: Record<string, number> = { data: 1100, setup: 1177, credentials: 3003 };
const UNKNOWN = 1100;

/** The fault that a script answers in place of judging a message. Its code is one of a sending. */
export function scriptedFault(fault: Fault | undefined): Reply | undefined {
  switch (fault?.name) {
    case 'fault_server':
      return serverFault();
    case 'fault_client':
      return clientFault(countOf(fault, 9_999) || 4102);
    case 'suspended':
      return clientFault(4141);
    case 'certificate':
      return clientFault(4112);
    default:
      return undefined;
  }
}

/** The outcome of a record that a script asks for. */
export function scriptedLine(fault: Fault | undefined, isAnnulment: boolean): (known: Invoice | undefined) => Line | undefined {
  return (known) => {
    switch (fault?.name) {
      case 'reject':
      case 'reject_once':
        return rejected(reasons[fault.argument] ?? (countOf(fault, 9_999) || UNKNOWN));
      case 'accept_with_warnings':
        return withWarning(2001);
      case 'accepted_with_errors':
        return withWarning(countOf(fault, 9_999) || 2000);
      case 'duplicate_foreign':
        return known ? undefined : rejected(3000, { duplicate: { request: FOREIGN_REQUEST, state: 'Correcta', code: null } });
      case 'refuse_void':
        return isAnnulment ? rejected(3004) : undefined;
      default:
        return undefined;
    }
  };
}
