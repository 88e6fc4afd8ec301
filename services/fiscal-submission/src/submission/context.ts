import type { DocumentKind } from '@svc/contracts/documents';
import type { DocumentStatus } from '@svc/contracts/document/no-doubt';
import type { Collection } from '@svc/document-store';
import type { Clock, Env, Ids, StateCache, Streams } from '@svc/kernel';
import type { Logger, StoredBytesCount } from '@svc/service';
import type { Chains } from '../chain/chains.ts';
import type { ClosedChains } from '../chain/closed-chains.ts';
import type { Clients } from '../signing/clients.ts';
import type { Signer } from '../signing/signer.ts';
import type { Authorities } from './authority.ts';
import type { ChainPace } from './chain-pace.ts';
import type { ClockHolds } from './clock-holds.ts';
import type { Http } from '../sending/http.ts';
import type { State } from './domain/state.ts';
import type { Row } from './row.ts';
import type { Submissions } from './submissions.ts';
import type { TillRegistration } from './till-registrations.ts';
import type { TillOpening } from './till-openings.ts';
import type { WireEntry } from './wire-log.ts';

/** Tells the status of a document that was perhaps never submitted. Throws not_found. */
export type StatusOf = (document: { account: string; env: Env; kind: DocumentKind; id: string }) => Promise<DocumentStatus>;

/** The dependencies and settings that all parts of this service use. */
export interface Context {
  streams: Streams;
  submissions: Submissions;
  /** The cached states of recently used streams; other processes append to them too. */
  states: Pick<StateCache<State>, 'delete'>;
  rows: Collection<Row>;
  wireLog: Collection<WireEntry>;
  stored: StoredBytesCount;
  paces: Collection<ChainPace>;
  clockHolds: ClockHolds;
  openings: Collection<TillOpening>;
  /** Requests to register tills. */
  tills: Collection<TillRegistration>;
  authorities: Authorities;
  chains: Chains;
  closedChains: ClosedChains;
  /** When the system was restored from a backup (ISO 8601); undefined: it was not. */
  restoredAt: string | undefined;
  /** Holds the keys of issuers. */
  signer: Signer;
  /** As whom connections are made. */
  clients: Clients;
  http: Http;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Divides the worker's waits: 1 in production, 100 in tests. */
  timeScale: number;
  publicUrl: string;
  /** Where the documents are in this process. */
  statusOf: StatusOf | undefined;
}

export const CONTEXT = Symbol('fiscal-submission context');
