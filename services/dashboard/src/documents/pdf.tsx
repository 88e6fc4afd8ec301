import { Button, Skeleton } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Console, useConsole } from '../api/consoles.ts';
import { useSeesPersonalData } from '../session/session.ts';
import { t } from '../texts/t.ts';
import { Failure } from '../ui/failure.tsx';
import { Panel } from '../ui/panel.tsx';
import { documentKey, type Kind } from './documents.ts';
import classes from './pdf.module.css';

const linkOf = (console: Console, kind: Kind, id: string, signal: AbortSignal) => {
  const options = { params: { path: { id } }, signal };
  return answered(
    kind === 'invoice' ? console.GET('/console/v1/invoices/{id}/pdf', options) : console.GET('/console/v1/receipts/{id}/pdf', options),
  );
};

interface PdfProps {
  kind: Kind;
  id: string;
  /** A link is made anew for each: what it opens has changed. */
  version: number;
}

/** A link ends after 15 minutes. */
const RENEWED_MS = 13 * 60_000;

/** The paper of a document, for who may see whom it names. */
export const Pdf = (props: PdfProps) =>
  useSeesPersonalData() ? (
    <Paper {...props} />
  ) : (
    <Panel title={t('pdf.title')}>
      <p>{t('pdf.withheld')}</p>
    </Panel>
  );

/** The page asks for the next link before one ends, also behind another page; what is shown stays as it is loaded. */
function Paper({ kind, id, version }: PdfProps) {
  const { console, env } = useConsole();
  const { data, error, refetch } = useQuery({
    queryKey: [...documentKey(env, kind, id), 'pdf', version],
    queryFn: ({ signal }) => linkOf(console, kind, id, signal),
    ...{ staleTime: RENEWED_MS, gcTime: RENEWED_MS, refetchInterval: RENEWED_MS, refetchIntervalInBackground: true },
  });
  const [loaded, setLoaded] = useState<{ version: number; url: string }>();
  const url = loaded?.version === version ? loaded.url : data?.url;
  return (
    <Panel
      title={t('pdf.title')}
      flush
      actions={
        data && (
          <Button component="a" href={data.url} target="_blank" rel="noreferrer" size="compact-sm" variant="default">
            {t('pdf.open')}
          </Button>
        )
      }
    >
      {error && <Failure error={error} again={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} radius={0} />}
      {url !== undefined && (
        <iframe
          className={classes['frame']}
          src={`${url}#toolbar=0&navpanes=0&view=FitH`}
          title={t('pdf.title')}
          loading="lazy"
          onLoad={() => setLoaded({ version, url })}
        />
      )}
    </Panel>
  );
}
