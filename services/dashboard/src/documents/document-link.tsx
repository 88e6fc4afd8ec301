import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConsole } from '../api/consoles.ts';
import { type Document, documentAddress, documentKey, type Kind } from './documents.ts';

/** The way to another document by its number; by its id until that is read, and where it has none. */
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
  });
  return <Link to={documentAddress(kind, id)}>{data?.number ?? <code>{id}</code>}</Link>;
}
