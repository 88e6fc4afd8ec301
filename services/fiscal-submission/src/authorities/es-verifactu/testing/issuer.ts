import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import type { PublicEvent } from '@svc/contracts/events/envelope';
import { iso, systemClock } from '@svc/kernel';
import type { Http } from '../../../sending/http.ts';
import type { SimulatorProcess } from '../../../testing/simulator-process.ts';
import { FiscalSystem, type SystemOptions } from '../../../testing/system.ts';
import { issuers } from '../../testing/documents.ts';

/** A row of the simulator's ledger. */
export interface LedgerRow {
  tax_id: string;
  number: string;
  state: string;
  late: boolean;
  request: string;
  code: string;
  records: number;
}

/** A system, the documents of an issuer of its own, the bodies that it sends, and what the authority has of it. */
export function openIssuer(simulator: SimulatorProcess, send: Http, over: Partial<SystemOptions> = {}) {
  const bodies: string[] = [];
  const http: Http = (request) => {
    bodies.push(request.body ?? '');
    return (over.http ?? send)(request);
  };
  const system = new FiscalSystem({ simulatorUrl: simulator.url, testUrls: simulator.testUrls, ...over, http });
  const { tax_id, documentOf } = (issuers['es-verifactu'] as NonNullable<(typeof issuers)[string]>)();
  let seq = 0;
  const requested = (over: Partial<RegistrationRequested> = {}): PublicEvent<RegistrationRequested> => {
    const request = system.requested();
    const of = documentOf(iso(systemClock.now()), (seq += 1));
    return { ...request, data: { ...request.data, ...of, document_id: request.data.document_id, simulate: null, ...over } };
  };
  const ledger = async (): Promise<LedgerRow[]> => {
    const { data } = await simulator.operate<{ data: LedgerRow[] }>('/ledger?authority=es-verifactu&limit=10000');
    return data.filter((row) => row.tax_id === tax_id);
  };
  const breaks = async (): Promise<object[]> => {
    const { data } = await simulator.operate<{ data: { chain: string; breaks: object[] }[] }>('/chains?authority=es-verifactu&limit=10000');
    return data.filter(({ chain }) => chain.startsWith(`${tax_id}|`)).flatMap((one) => one.breaks);
  };
  return { system, bodies, requested, ledger, breaks };
}

/** Records of a message. */
export const recordsIn = (body: string): number => body.split('<sfLR:RegistroFactura>').length - 1;
