import { type Calculated, checkCalculated } from '@svc/contracts/schema/calculated';
import type { CreateWebhook } from '@svc/contracts/webhook/requests';
import { invalid, iso, prefixed } from '@svc/kernel';
import type { Identity } from '@svc/service';
import type { EndpointContext } from './context.ts';
import { auditedChange } from './audited-change.ts';
import { WAITS, waitsFor } from './domain/endpoint.ts';
import { problemOfUrl } from '../sending/check-url.ts';
import { newSecret } from '../sending/sign.ts';
import { decrypted, endpointResource, MAX_ENDPOINTS, NONE_ENDED, type Endpoint } from './endpoint.ts';
import { currentEnds } from './ends.ts';
import { newHeaders, problemsOfHeaders } from './headers.ts';

/**
 * Creates one of the at most 20 endpoints of an environment. Repeating the command returns the same endpoint and secret. Throws
 * `validation_error` for a URL that must not be called, headers that are not the caller's, for calculated fields of other values and for the 21st endpoint; `service_unavailable` while the bus cannot say where its
 * topics end, which decides which events the endpoint receives.
 */
export async function createEndpoint(
  context: EndpointContext,
  identity: Identity,
  { body: request, calculated }: { body: CreateWebhook; calculated?: Calculated | undefined },
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { endpoints, ring, clock, allowed, resolve } = context;
  const id = prefixed('we', identity.commandId);
  const made = await endpoints.get(id);
  if (made) return { endpoint: made, secret: decrypted(made, made.secret, ring) };
  const problem = await problemOfUrl(request.url, allowed, resolve);
  const problems = { ...(problem && { url: [problem] }), ...problemsOfHeaders(request.headers ?? {}) };
  if (Object.keys(problems).length > 0) throw invalid(problems);

  const ends = await currentEnds(context);
  const secret = newSecret();
  const now = iso(clock.now());
  const endpoint: Endpoint = {
    _id: id,
    version: 1,
    revision: 1,
    account: identity.account,
    env: identity.env,
    url: request.url,
    events: [...new Set(request.events)],
    description: request.description ?? null,
    metadata: (request.metadata ?? {}) as Record<string, string>,
    ...(waitsFor(identity) ? { status: 'disabled', disabled_reason: WAITS } : { status: 'enabled', disabled_reason: null }),
    secret: ring.encrypt(secret),
    headers: newHeaders(request.headers ?? {}, (value) => ring.encrypt(value)),
    rate_per_second: request.rate_per_second ?? null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    deleted: false,
    deleted_by: null,
    place: '',
    ends,
  };
  const audited = auditedChange(undefined, endpoint, 'created', identity, context.clock);
  checkCalculated(calculated, null, () => endpointResource(endpoint, NONE_ENDED));
  const taken = new Set<string>();
  for await (const { place } of endpoints.find({ account: identity.account, env: identity.env, deleted: false }, { limit: MAX_ENDPOINTS }))
    taken.add(place);
  for (let n = 1; n <= MAX_ENDPOINTS; n += 1) {
    const place = `place-${n}`;
    if (!taken.has(place) && (await endpoints.insert({ ...endpoint, ...audited, place })))
      return { endpoint: { ...endpoint, ...audited, place }, secret };
    const again = await endpoints.get(id);
    if (again) return { endpoint: again, secret: decrypted(again, again.secret, ring) };
  }
  throw invalid({ url: [`an environment has at most ${MAX_ENDPOINTS} webhook endpoints: delete one that is no longer needed`] });
}
