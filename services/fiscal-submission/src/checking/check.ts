import type { IssuerFacts } from '@svc/contracts/credentials/issuer-header';
import { otherOwner } from '@svc/contracts/issuer/certificate-owner';
import type { CredentialsCheck, CredentialsCheckId, FiscalCredentialsCheckResource } from '@svc/contracts/credentials/resource';
import { servedAuthorities } from '@svc/contracts/issuer/vocabulary';
import { type createCapacity, DomainError, iso } from '@svc/kernel';
import type { Identity } from '@svc/service';
import { NotSent, type Tls } from '../sending/http.ts';
import { type KeyOwner, NoKey } from '../signing/signer.ts';
import type { Authority } from '../submission/authority.ts';
import type { Context } from '../submission/context.ts';
import { findCredentials, type CredentialsContext } from '../credentials/credentials.ts';

/** Checks at a time, each of which makes a call of 10 s at most: several members of an account may ask at once. */
export const CHECKS = { perAccount: 8, inAll: 64 };
const WITHIN_MS = 10_000;

export interface CheckContext extends Pick<Context, 'authorities' | 'signer' | 'clients' | 'http' | 'clock'> {
  credentials: CredentialsContext;
  capacity: ReturnType<typeof createCapacity>;
}

type Outcome = Omit<CredentialsCheck, 'id'>;

const passed = (message: string): Outcome => ({ outcome: 'passed', message });
const failed = (message: string): Outcome => ({ outcome: 'failed', message });
const skipped = (message: string): Outcome => ({ outcome: 'skipped', message });

/**
 * What would keep a document of this issuer from its authority. A text is signed and a connection is made; nothing is sent that the authority could register.
 * Throws service_unavailable while too many checks run.
 * @param issuer undefined: it is not known
 */
export async function checkCredentials(
  context: CheckContext,
  identity: Pick<Identity, 'account' | 'env' | 'livemode'>,
  issuer: IssuerFacts | undefined,
): Promise<FiscalCredentialsCheckResource> {
  const { authorities, clock, capacity } = context;
  const release = capacity.reserve(identity.account, 1);
  if (!release) throw new DomainError('service_unavailable', 'Too many checks are under way. Try again in a second.', undefined, 1);
  try {
    const id = issuer?.authority ?? null;
    const authority = id === null ? undefined : authorities[identity.env].get(id);
    const checks = await Promise.all([
      named('authority', authority ? passed(`Documents are sent to ${authority.origin}.`) : noAuthority(id)),
      named('certificate', authority ? ofCertificate(context, identity, authority) : skipped('No authority asks for one.')),
      named('owner', ofOwner(context, identity, issuer)),
      named('connection', authority ? ofConnection(context, identity, authority) : skipped('There is no authority to connect to.')),
    ]);
    const ready = checks.every(({ outcome }) => outcome !== 'failed');
    const head = { object: 'fiscal_credentials_check', livemode: identity.livemode, authority: id } as const;
    return { ...head, ready, checks, checked_at: iso(clock.now()) };
  } finally {
    release();
  }
}

const named = async (id: CredentialsCheckId, outcome: Outcome | Promise<Outcome>): Promise<CredentialsCheck> => ({
  id,
  ...(await outcome),
});

function noAuthority(id: string | null): Outcome {
  if (id === null) return failed('The issuer has no tax authority. Set it by PATCH /v1/issuer.');
  if (!servedAuthorities.some((one) => one === id))
    return failed(`Nothing can be sent to ${id}. Set another authority by PATCH /v1/issuer.`);
  return failed(
    `Nothing can be sent to ${id} here yet. Ask the operator of this installation to set what \`setup\` of GET /v1/issuer names.`,
  );
}

/** Where nothing is signed, the key is that of the connection. */
async function ofCertificate({ signer, clients }: CheckContext, caller: Caller, authority: Authority): Promise<Outcome> {
  const { signature, tls } = authority.needs;
  if (signature === 'none' && tls === 'none') return skipped(`${authority.id} asks for no certificate.`);
  try {
    await (signature === 'none'
      ? clients.of(ownerOf(caller, authority))
      : signer.sign(ownerOf(caller, authority), 'check of the certificate'));
    return passed(signature === 'none' ? 'There is a certificate to connect with.' : 'The key of the certificate signs.');
  } catch (error) {
    if (error instanceof NoKey) return failed(error.message);
    throw error;
  }
}

type Caller = Pick<Identity, 'account' | 'env'>;
const ownerOf = ({ account, env }: Caller, { id }: Authority): KeyOwner => ({ account, env, authority: id });

async function ofOwner({ credentials }: CheckContext, identity: Caller, issuer?: IssuerFacts): Promise<Outcome> {
  const found = await findCredentials(credentials, identity).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'not_found') return undefined;
    throw error;
  });
  if (!found || !issuer) return skipped('There is no certificate of the issuer to look at.');
  const other = otherOwner(issuer, found.subject);
  if (!other) return passed(`The certificate names no other taxpayer: ${found.subject}`.slice(0, 2_000));
  return other.isRefused ? failed(other.message) : { outcome: 'warning', message: other.message };
}

/** Any answer shows that its server is there and trusted, and takes the certificate: what is asked for is no operation of the authority. */
async function ofConnection(context: CheckContext, caller: Caller, authority: Authority): Promise<Outcome> {
  const { http, clock } = context;
  const { id, origin } = authority;
  const began = clock.now();
  try {
    const tls = await tlsOf(context, caller, authority);
    const to = tls?.client && authority.originFor ? authority.originFor(tls.client.certificate) : origin;
    await http({ method: 'GET', url: `${to}/`, headers: {}, tls, deadlineMs: WITHIN_MS });
    return passed(`${id} answered within ${clock.now() - began} ms.`);
  } catch (error) {
    if (error instanceof NoKey) return skipped('It is made with the certificate.');
    const text = error instanceof Error ? error.message : String(error);
    return failed(error instanceof NotSent ? `${id}: ${text}.` : `${id} was reached, and did not answer: ${text}.`);
  }
}

async function tlsOf({ clients }: CheckContext, caller: Caller, authority: Authority): Promise<Tls | undefined> {
  const { anchors, needs } = authority;
  if (needs.tls === 'none') return anchors && { anchors };
  return { ...(anchors && { anchors }), client: await clients.of(ownerOf(caller, authority)) };
}
