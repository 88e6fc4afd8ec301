import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../api/consoles.ts';
import type { Invoice } from '../../documents/documents.ts';
import { nextPage } from '../../ui/paging.ts';
import { countedStatuses } from './credited.ts';

const PAGE = 100;

/** What an invoice was credited by when the form began: what is registered meanwhile does not change it. Undefined while it is read. */
export function useCreditNotes(id: string) {
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: [env, 'credited', id],
    async queryFn({ signal }): Promise<readonly Invoice[]> {
      const notes: Invoice[] = [];
      for (let page: number | undefined = 1; page !== undefined;) {
        const query = { corrects: [id], type: ['credit_note' as const], status: [...countedStatuses], per_page: PAGE, page };
        const listed = await answered(console.GET('/console/v1/invoices', { params: { query }, signal }));
        notes.push(...listed.data);
        page = nextPage(listed);
      }
      return notes;
    },
    ...{ staleTime: Infinity, gcTime: 0 },
  });
  return { notes: data, error, again: () => void refetch() };
}
