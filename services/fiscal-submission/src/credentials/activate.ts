import { compareAndSet } from '@svc/document-store';
import { DomainError, iso, type Ids } from '@svc/kernel';
import { type Change, changesOf, type Identity, withChange, withChangeBy } from '@svc/service';
import {
  AUDITED,
  credentialsId,
  inForce,
  isOfLater,
  none,
  ofSuccessor,
  type Certificate,
  type Credentials,
  type CredentialsContext,
} from './credentials.ts';

type Context = Pick<CredentialsContext, 'credentials' | 'clock'>;

/** The staged certificate takes over. Repeating the command returns the same answer. Throws not_found where there is none, invalid_state without a successor that is valid now. */
export async function activateSuccessor({ credentials, clock }: Context, identity: Identity): Promise<Credentials> {
  const now = iso(clock.now());
  const { doc } = await compareAndSet<Credentials, Credentials>(credentials, credentialsId(identity), {
    absent() {
      throw none();
    },
    change(before) {
      if (before.activated_by === identity.commandId) return undefined;
      if (before.deleted_at) throw none();
      const { successor } = before;
      if (!successor) throw notPossible('No successor is staged. PUT /v1/fiscal-credentials with `successor: true` stages one.');
      if (successor.expires_at <= now)
        throw notPossible(`The successor expired at ${successor.expires_at}. PUT /v1/fiscal-credentials stages another one.`);
      if (isOfLater(successor, clock.now()))
        throw notPossible(
          `The successor is valid from ${successor.valid_from} on, and authorities refuse it before. It takes over by itself at the end of the present one, or activate it then.`,
        );
      const { certificate, change } = takingOver(before, successor);
      const entry = withChangeBy(before, change, identity, clock);
      return { ...certificate, successor: undefined, updated_at: now, activated_by: identity.commandId, ...entry };
    },
  });
  return doc;
}

/** Stores that the successor has taken over, where the certificate before it has ended. */
export async function takeOver({ credentials, clock, ids }: Context & { ids: Ids }, { _id }: Credentials): Promise<void> {
  const now = iso(clock.now());
  await compareAndSet<Credentials, undefined>(credentials, _id, {
    absent: () => undefined,
    change(before) {
      const { successor } = before;
      if (!successor || before.deleted_at || inForce(before, now) === before) return undefined;
      const { certificate, change } = takingOver(before, successor);
      const actor = { type: 'system', id: 'fiscal-submission' } as const;
      return { ...certificate, successor: undefined, updated_at: now, ...withChange(before, { actor, ...change }, { clock, ids }) };
    },
  });
}

function takingOver(before: Credentials, successor: NonNullable<Credentials['successor']>) {
  const certificate = ofSuccessor(successor);
  const changes = changesOf<Certificate>(AUDITED, before, certificate);
  const change: Omit<Change, 'actor' | 'requestId'> = {
    ...{ type: 'fiscal_credentials', verb: 'updated', changes },
    target: { id: before._id, name: null },
  };
  return { certificate, change };
}

const notPossible = (message: string): DomainError => new DomainError('invalid_state', message);
