import { iso, type Clock } from '@svc/kernel';
import {
  duplicateAnswer,
  registeredAnswer,
  rejectedAnswer,
  signed,
  unsigned,
  type Answer,
  sha256,
  type Fault,
  scriptOf,
  withFault,
} from './answer.ts';
import { type CancellationCall, type RegistrationCall, issuerCodeOf, recordErrorOf } from './calls.ts';
import type { Key, Ledger, Registration } from './ledger.ts';

const REQUESTED = 'The sandbox rejects this document because metadata.simulate asks for it.';
const FOREIGN = 'Another record is registered under this number.';

/** Handles each call by the rules of the sandbox and the scripted faults, in one ledger write. */
export class SandboxAuthority {
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  async register(call: RegistrationCall, simulate: string): Promise<Answer> {
    const script = scriptOf(simulate);
    return this.ledger.write(() => {
      const before = this.ledger.count(call, simulate);
      this.ledger.receive(call, iso(this.clock.now()), call.record_sha256);
      if (script.kind === 'unavailable' && before < script.calls) return unsigned(503, 'The service is not available.');
      const fault: Fault = script.kind === 'once' && before === 0 ? script.fault : 'none';
      if (fault === 'lost_request') return { dropped: true };
      const refusal =
        script.kind === 'reject' && !(script.once && before > 0)
          ? { code: script.code, message: REQUESTED, fix: script.fix }
          : recordErrorOf(call.record);
      if (refusal) return this.refuse(call, rejectedAnswer(call.message_id, refusal));
      const known = this.ledger.find(call, call.record_sha256);
      if (script.kind === 'duplicate_foreign' && !known) return this.refuse(call, duplicateAnswer(call.message_id, this.foreign(call)));
      if (known && known.record_sha256 !== call.record_sha256) return this.refuse(call, duplicateAnswer(call.message_id, known));
      const row = known ?? this.ledger.register({ ...this.entry(call), taxpayer: call.taxpayer, issuer_code: issuerCodeOf(call.record) });
      if (script.kind === 'duplicate') return duplicateAnswer(call.message_id, row);
      const warnings = script.kind === 'warnings' ? [{ code: 'SBX-2001', message: 'Registered; the customer has no tax id.' }] : [];
      const answer = withFault(fault, registeredAnswer(call.message_id, row, warnings), () => registeredAnswer(`${call.message_id}x`, row));
      return script.kind === 'slow' && !answer.dropped ? { ...answer, delayMs: script.ms } : answer;
    });
  }

  async cancel(call: CancellationCall, simulate: string): Promise<Answer> {
    const script = scriptOf(simulate);
    return this.ledger.write(() => {
      const before = this.ledger.count(call, simulate);
      if (script.kind === 'unavailable' && before < script.calls) return unsigned(503, 'The service is not available.');
      const fault: Fault = script.kind === 'once' && before === 0 ? script.fault : 'none';
      if (fault === 'lost_request') return { dropped: true };
      const known = this.ledger.find(call, call.record_sha256);
      if (!known) return refusedVoid(call, 'SBX-3001', 'No such document is registered.');
      if (call.record_sha256 !== undefined && call.record_sha256 !== known.record_sha256) return refusedVoid(call, 'SBX-3003', FOREIGN);
      if (script.kind === 'refuse_void' && known.voided_at === null)
        return refusedVoid(call, 'SBX-3002', 'The authority refuses to cancel this document.');
      const voided_at = known.voided_at ?? iso(this.clock.now());
      this.ledger.void(known, voided_at);
      const confirmed = (requestId: string): Answer => signed(200, requestId, { status: 'cancelled', ...known, voided_at });
      const answer = withFault(fault, confirmed(call.message_id), () => confirmed(`${call.message_id}x`));
      return script.kind === 'slow' && !answer.dropped ? { ...answer, delayMs: script.ms } : answer;
    });
  }

  /** `record_sha256`: of the caller's record, where it says so. */
  async query(key: Key & { record_sha256: string | undefined }, messageId: string, simulate: string): Promise<Answer> {
    const script = scriptOf(simulate);
    if (script.kind === 'unavailable') {
      const before = await this.ledger.write(() => this.ledger.count(key, simulate));
      if (before < script.calls) return unsigned(503, 'The service is not available.');
    }
    await this.ledger.settled();
    const known = this.ledger.find(key, key.record_sha256);
    return known ? registeredAnswer(messageId, known) : signed(404, messageId, { status: 'absent' });
  }

  /** Forgets earlier submissions of an unregistered document. A registered one keeps them, so that a wrong submission stays visible. */
  private refuse(key: Key, answer: Answer): Answer {
    if (!this.ledger.find(key)) this.ledger.forget(key);
    return answer;
  }

  private entry({ taxpayer, document_number, issuer_tax_id, record_sha256 }: RegistrationCall): Omit<Registration, 'voided_at'> {
    return {
      document_number,
      issuer_tax_id,
      record_sha256,
      code: codeOf(`${taxpayer}|${issuer_tax_id}|${document_number}|${record_sha256}`),
      registered_at: iso(this.clock.now()),
    };
  }

  /** A registration of another record under the same number, for the scripted response. */
  private foreign(call: RegistrationCall): Registration {
    return { ...this.entry({ ...call, record_sha256: sha256(`${FOREIGN} ${call.record_sha256}`) }), voided_at: null };
  }
}

const refusedVoid = (call: CancellationCall, code: string, message: string): Answer =>
  signed(422, call.message_id, { status: 'refused', error: { code, message } });

/** A code in the form of a UUID, the same for the same record. */
const codeOf = (of: string): string => sha256(`code ${of}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
