import type { Storage } from '../embedded/storage.ts';
import type { AuthorityId } from './authorities.ts';

/** `reject:40` is `{name: 'reject', argument: '40'}`. */
export interface Fault {
  name: string;
  argument: string;
}

/** The call that a fault may be scripted for. */
export interface Occasion {
  operation: string;
  tax_id: string;
  /** Of the document; empty for a call without one. */
  number: string;
}

/** A fault as `POST /faults` takes it. */
export interface ScriptedFault extends Partial<Occasion> {
  authority: AuthorityId;
  fault: string;
  /** Calls that have it. */
  times: number;
}

const everywhere = [
  ...['accept', 'accept_with_warnings', 'reject', 'reject_once', 'lost_request', 'lost_reply', 'error_after_accept', 'unavailable', 'slow'],
  ...['truncated', 'duplicate', 'duplicate_foreign', 'clock', 'refuse_void'],
];
const cis = ['bad_signature', 'wrong_request_id', 'wrong_signer', 'silent', 'server_900', 'resend', 'certificate'];
const known: Record<AuthorityId, ReadonlySet<string>> = {
  'al-cis': new Set([...everywhere, ...cis]),
  'me-efi': new Set([...everywhere, ...cis]),
  'es-verifactu': new Set([
    ...[
      ...everywhere,
      'wait',
      'partial',
      'accepted_with_errors',
      'fault_server',
      'fault_client',
      'suspended',
      'query_blind',
      'certificate',
    ],
  ]),
};

/** Faults that the header asks for at each call of a document. All others hold for the first call alone. */
const lasting = new Set([
  ...['accept', 'accept_with_warnings', 'reject', 'slow', 'duplicate', 'duplicate_foreign', 'refuse_void', 'resend', 'wait'],
  ...['accepted_with_errors', 'query_blind'],
]);
const MOST_CALLS = 10_000;

const TABLES = `
  CREATE TABLE IF NOT EXISTS wire_faults (id INTEGER PRIMARY KEY AUTOINCREMENT, authority TEXT NOT NULL, tax_id TEXT, number TEXT, operation TEXT,
    fault TEXT NOT NULL, times INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS wire_calls (authority TEXT NOT NULL, account TEXT NOT NULL, tax_id TEXT NOT NULL, number TEXT NOT NULL, fault TEXT NOT NULL,
    count INTEGER NOT NULL, PRIMARY KEY (authority, account, tax_id, number, fault)) WITHOUT ROWID;`;

/** undefined for a text that names no fault of the authority. */
export function faultOf(authority: AuthorityId, text: string): Fault | undefined {
  const [name = '', ...rest] = text.split(':');
  return known[authority].has(name) && text.length <= 200 ? { name, argument: rest.join(':') } : undefined;
}

/** A whole number in a fault's argument, within 0 and `most`. */
export const countOf = ({ argument }: Fault, most = 600_000): number => (/^\d{1,9}$/.test(argument) ? Math.min(Number(argument), most) : 0);

/** The scripted faults, by header and by operators' calls. Call it inside of a write. */
export class Faults {
  constructor(private readonly storage: Storage) {
    storage.db.exec(TABLES);
  }

  /** Scripts a fault; the oldest that fits a call has precedence. */
  add({ authority, tax_id, number, operation, fault, times }: ScriptedFault): void {
    const parsed = faultOf(authority, fault);
    const calls = parsed?.name === 'unavailable' ? countOf(parsed, MOST_CALLS) : Math.min(times, MOST_CALLS);
    this.storage
      .sql('INSERT INTO wire_faults (authority, tax_id, number, operation, fault, times) VALUES (?, ?, ?, ?, ?, ?)')
      .run(authority, tax_id ?? null, number ?? null, operation ?? null, fault, calls);
  }

  open(): object[] {
    return this.storage.sql('SELECT authority, tax_id, number, operation, fault, times FROM wire_faults ORDER BY id LIMIT 1000').all();
  }

  clear(): void {
    this.storage.sql('DELETE FROM wire_faults').run();
  }

  /** The fault of the header where it has one for this call, else the operators', counted down. */
  take(authority: AuthorityId, account: string, occasion: Occasion, header: string): Fault | undefined {
    return this.fromHeader(authority, account, occasion, header) ?? this.fromOperators(authority, occasion);
  }

  private fromHeader(authority: AuthorityId, account: string, { tax_id, number }: Occasion, header: string): Fault | undefined {
    const fault = number === '' ? undefined : faultOf(authority, header);
    if (!fault) return undefined;
    const { count } = this.storage
      .sql(
        `INSERT INTO wire_calls (authority, account, tax_id, number, fault, count) VALUES (?, ?, ?, ?, ?, 1)
         ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count`,
      )
      .get(authority, account, tax_id, number, header) as { count: number };
    const calls = fault.name === 'unavailable' ? countOf(fault, MOST_CALLS) : lasting.has(fault.name) ? Infinity : 1;
    return count <= calls ? fault : { name: 'accept', argument: '' };
  }

  private fromOperators(authority: AuthorityId, { operation, tax_id, number }: Occasion): Fault | undefined {
    const row = this.storage
      .sql(
        `SELECT id, fault FROM wire_faults WHERE authority = ? AND coalesce(operation, ?) = ? AND coalesce(tax_id, ?) = ? AND coalesce(number, ?) = ?
         ORDER BY id LIMIT 1`,
      )
      .get(authority, operation, operation, tax_id, tax_id, number, number) as { id: number; fault: string } | undefined;
    if (!row) return undefined;
    this.storage.sql('UPDATE wire_faults SET times = times - 1 WHERE id = ?').run(row.id);
    this.storage.sql('DELETE FROM wire_faults WHERE id = ? AND times <= 0').run(row.id);
    return faultOf(authority, row.fault);
  }
}
