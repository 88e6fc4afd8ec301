import type { Authority, Envelope, Message, Unsigned } from '../submission/authority.ts';
import type { Authorities } from '../submission/authority.ts';
import type { CommonKey } from '../signing/keys.ts';
import { signedBy } from './sandbox/record.ts';
import { testKeys } from './test-certificates.ts';

/**
 * An adapter whose connection is the simulator: each message names its account, by which the simulator keeps the documents of accounts apart, also under one tax
 * id.
 */
export function simulated<Draft extends object>(authority: Authority<Draft>): Authority<Draft> {
  const from = <M extends Message | Unsigned>(message: M, { taxpayer }: Envelope): M =>
    ('text' in message
      ? {
          text: message.text,
          signedWith: (signed: Parameters<Unsigned['signedWith']>[0]) => signedBy(taxpayer, message.signedWith(signed)),
        }
      : signedBy(taxpayer, message)) as M;
  const { render, query, cancel, opening, till, batch, listing } = authority;
  return {
    ...authority,
    isSimulated: true,
    render: (of, record, envelope) => from(render(of, record, envelope), envelope),
    ...(query && { query: (of, about, envelope) => from(query(of, about, envelope), envelope) }),
    ...(cancel && {
      cancel: (of, registration, cancellation, envelope) => from(cancel(of, registration, cancellation, envelope), envelope),
    }),
    ...(opening && { opening: (record, envelope) => from(opening(record, envelope), envelope) }),
    ...(till && { till: (one, envelope) => from(till(one, envelope), envelope) }),
    ...(listing && { listing: { ...listing, render: (asked) => signedBy(asked.taxpayer, listing.render(asked)) } }),
    ...(batch && { batch: { ...batch, render: (records, envelope) => from(batch.render(records, envelope), envelope) } }),
  };
}

/** Keys of test issuers that have set no certificate: a simulator alone knows them. */
export const keysOfSimulated = ({ test }: Authorities): ReadonlyMap<string, CommonKey> =>
  new Map([...testKeys].filter(([id]) => test.get(id)?.isSimulated));
