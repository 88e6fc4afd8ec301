import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../../api/consoles.ts';
import type { Resource } from '../../api/types.ts';
import { issuerBasicsKey, issuerKey } from '../../documents/issuer.ts';
import { setupQuery } from '../../session/setup.ts';
import { createChange, mergeFields } from '../../ui/change.ts';

export type Issuer = Resource<'Issuer'>;
export type IssuerChange = Resource<'UpdateIssuer'>;

interface IssuerFormOptions<Values extends object> {
  /** What the form shows of the issuer. */
  valuesOf(issuer: Issuer): Values;
  /** What a person has changed of it: some of it is locked once documents exist, and is not sent where it is as it was. */
  changesOf(before: Values, now: Values): IssuerChange;
  /** What this person has changed of `before`, applied to `now`: by default their fields, whole. */
  merge?(versions: { before: Values; now: Values; mine: Values }): Values;
}

/** A form of a part of the issuer, as it is when the form is opened. Several are saved one by one. */
export function useIssuerForm<Values extends object>(
  issuer: Issuer,
  { valuesOf, changesOf, merge = mergeFields }: IssuerFormOptions<Values>,
) {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const [change] = useState(() =>
    createChange<Issuer, Values>({
      opened: issuer,
      valuesOf,
      merge,
      read: () => answered(console.GET('/console/v1/issuer')),
      write: ({ before, values, headers }) =>
        answered(console.PATCH('/console/v1/issuer', { headers, body: changesOf(valuesOf(before), values) })),
    }),
  );
  return {
    initial: change.initial,
    async save(values: Values): Promise<Issuer> {
      const saved = await change.save(values);
      queries.setQueryData(issuerKey(env), saved);
      void queries.invalidateQueries(setupQuery);
      void queries.invalidateQueries({ queryKey: issuerBasicsKey(env) });
      return saved;
    },
    /** What the form shows once `sent` was saved: what the server has, and what was typed meanwhile. */
    shown: (saved: Issuer, sent: Values, typed: Values): Values => merge({ before: sent, now: valuesOf(saved), mine: typed }),
    /** The next save is a change of an issuer that was read since. */
    follow: (now: Issuer): void => void change.take(now),
    /** What the form shows of an issuer that was read since, with what was typed. */
    merged: (versions: { before: Issuer; now: Issuer }, typed: Values): Values =>
      merge({ before: valuesOf(versions.before), now: valuesOf(versions.now), mine: typed }),
  };
}
