import { answered } from '@svc/client/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createFresh } from '../../api/fresh.ts';
import { createIntent, type Once } from '../../api/intent.ts';
import { useConsole } from '../../api/consoles.ts';
import { Cancelled } from '../../api/prompts.ts';
import { shown } from '../../api/shown.ts';
import type { Resource } from '../../api/types.ts';
import { documentKey, type Invoice } from '../../documents/documents.ts';
import { changesOf } from './changes.ts';
import type { Base } from './kept.ts';
import { bodyOf, type FormValues, valuesOf } from './values.ts';

/** Why the submission of a draft that a form has just made was refused, on its way to the draft's own form. By its id. */
export const refusals = createFresh<Error>();

const LOOKED_MS = 10_000;

export const baseOf = (invoice: Invoice): Base => ({
  ...{ id: invoice.id, version: invoice.version, isNumbered: invoice.number !== null },
  values: valuesOf(invoice),
});

export interface Draft {
  /** Creates the draft, or changes it where it has the version that the form began with; else rejects with `version_conflict`. */
  save: (values: FormValues, base: Base | null) => Promise<Invoice>;
  /** Submits this version. */
  submit: (draft: Invoice, once: Once) => Promise<Invoice>;
  /** The key under which it was sent to become a draft and may have become one; undefined where that is known. */
  sent: () => string | undefined;
}

interface DraftOptions {
  /** Under which it was sent before, where no answer has come. */
  sentKey?: string | undefined;
  /** Called before it is sent to become a draft. */
  sending: (values: FormValues, key: string) => Promise<void>;
}

export function useDraft({ sentKey, sending }: DraftOptions): Draft {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  // Under a key of its own: one press may create and submit.
  const [creating] = useState(() => createIntent(undefined, sentKey));
  const show = (invoice: Invoice): Invoice => {
    queries.setQueryData(documentKey(env, 'invoice', invoice.id), invoice);
    void queries.invalidateQueries({ queryKey: [env, 'invoices'] });
    return invoice;
  };
  return {
    async save(values, base) {
      if (base) {
        const options = { params: { path: { id: base.id } }, headers: { 'If-Match': `"${base.version}"` } };
        return show(await answered(console.PATCH('/console/v1/invoices/{id}', { ...options, body: changesOf(base.values, values) })));
      }
      // The interface names the customer where it is lacking.
      const body = bodyOf(values) as Resource<'CreateInvoice'>;
      const create = async (once: Once): Promise<Invoice> => {
        const isStill = shown.still();
        await sending(values, once['Idempotency-Key']);
        if (!isStill()) throw new Cancelled();
        return answered(console.POST('/console/v1/invoices', { body, headers: once }));
      };
      return show(await creating.carryOut(create));
    },
    sent: creating.pending,
    async submit({ id, version }, once) {
      const headers = { ...once, 'If-Match': `"${version}"` };
      return show(await answered(console.POST('/console/v1/invoices/{id}/submit', { params: { path: { id } }, body: {}, headers })));
    },
  };
}

/** The draft as another person may have left it by now: null while it is as the form began. */
export function useTheirs(base: Base | null): { theirs: Invoice | null; look: () => void } {
  const { console, env } = useConsole();
  const { data, refetch } = useQuery({
    queryKey: [...documentKey(env, 'invoice', base?.id ?? ''), 'looked'],
    queryFn: ({ signal }) => answered(console.GET('/console/v1/invoices/{id}', { params: { path: { id: base?.id ?? '' } }, signal })),
    enabled: base !== null,
    ...{ refetchInterval: LOOKED_MS, staleTime: 0, gcTime: 0 },
  });
  return { theirs: data && base && data.version > base.version ? data : null, look: () => void refetch() };
}
