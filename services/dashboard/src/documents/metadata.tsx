import { t } from '../texts/t.ts';
import { Facts } from '../ui/facts.tsx';
import { Panel } from '../ui/panel.tsx';

/** What programs have noted of a document. It is text, whatever it holds: an address in it is no link. */
export function Metadata({ metadata }: { metadata: Record<string, string> }) {
  const rows = Object.entries(metadata);
  if (rows.length === 0) return null;
  return (
    <Panel title={t('metadata.title')}>
      <Facts rows={rows} />
    </Panel>
  );
}
