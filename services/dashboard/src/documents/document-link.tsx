import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../api/consoles.ts';
import { type Document, documentAddress, documentKey, type Kind, titleOf } from './documents.ts';

/** A list may have many: each is read again by its own page. */
const KNOWN_MS = 60_000;

/** The way to another document by its number, to a draft by its customer; by its id until that is read. */
export function DocumentLink({ kind, id }: { kind: Kind; id: string }) {
  const { console, env } = useConsole();
  const { data } = useQuery({
    queryKey: documentKey(env, kind, id),
    queryFn: ({ signal }): Promise<Document> => {
      const asked = { params: { path: { id } }, signal };
      return kind === 'invoice'
        ? answered(console.GET('/console/v1/invoices/{id}', asked))
        : answered(console.GET('/console/v1/receipts/{id}', asked));
    },
    staleTime: KNOWN_MS,
  });
  return <Link to={documentAddress(kind, id)}>{data ? <bdi>{titleOf(data)}</bdi> : <code>{id}</code>}</Link>;
}
