import { answered } from '@svc/client/console';
import { useConsole } from '../../api/consoles.ts';
import { useSaving } from '../../ui/saving.ts';
import type { queryOf, ReportName } from './reports.ts';

interface Asked {
  name: ReportName;
  query: ReturnType<typeof queryOf>;
}

/** Makes the file of a report and opens its link, which ends after 15 minutes. */
export function useCsv() {
  const { console } = useConsole();
  return useSaving({
    async run({ name, query }: Asked) {
      const params = { path: { report: name }, query: { ...query, format: 'csv' as const } };
      // As a file the answer is a link.
      return (await answered(console.GET('/console/v1/reports/{report}', { params }))) as unknown as { url: string };
    },
    done: ({ url }) => location.assign(url),
  });
}
