import type { Resource } from '../api/types.ts';
import { named, t } from '../texts/t.ts';
import { Badge } from '../ui/badge.tsx';
import { Facts } from '../ui/facts.tsx';
import { Panel } from '../ui/panel.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { Ago, Time } from '../ui/time.tsx';
import { Attempts } from './attempts.tsx';
import { type Kind, toneOf } from './documents.ts';
import { Evidence } from './evidence.tsx';
import classes from './fiscal.module.css';

interface FiscalPanelProps {
  fiscal: Resource<'Fiscal'>;
  number: string | null;
  kind: Kind;
  id: string;
}

/** What the tax authority has: the code, the address by which anybody can verify it, and each attempt. */
export const FiscalPanel = ({ fiscal, number, kind, id }: FiscalPanelProps) => (
  <Panel
    title={t('fiscal.title')}
    about={t(`fiscal.about`, { authority: named('authority', fiscal.authority) })}
    actions={<Badge tone={toneOf(fiscal.status)}>{named('fiscal.status', fiscal.status)}</Badge>}
  >
    <div className={classes['fiscal']}>
      <div className={classes['facts']}>
        <Facts rows={rowsOf(fiscal, number)} />
      </div>
      {fiscal.verification_url && <QrCode text={fiscal.verification_url} label={t('fiscal.qr')} />}
    </div>
    {fiscal.attempts > 0 && <Attempts kind={kind} id={id} count={fiscal.attempts} />}
    {fiscal.attempts > 0 && <Evidence kind={kind} id={id} />}
  </Panel>
);

const rowsOf = (fiscal: Resource<'Fiscal'>, number: string | null) => [
  [t('fact.number'), number] as const,
  [t('fiscal.code'), fiscal.code && <code key="code">{fiscal.code}</code>] as const,
  ...(fiscal.issuer_code ? [[t('fiscal.issuerCode'), <code key="issuer">{fiscal.issuer_code}</code>] as const] : []),
  ...(fiscal.registered_at ? [[t('fiscal.registeredAt'), <Time key="at" at={fiscal.registered_at} />] as const] : []),
  ...(fiscal.verification_url ? [[t('fiscal.verify'), <Verify key="verify" url={fiscal.verification_url} />] as const] : []),
  ...(fiscal.late ? [[t('fiscal.late'), t('fiscal.lateText')] as const] : []),
  ...(fiscal.deadline_at ? [[t('fiscal.deadline'), <Time key="deadline" at={fiscal.deadline_at} />] as const] : []),
  ...(fiscal.next_attempt_at ? [[t('fiscal.next'), <Ago key="next" at={fiscal.next_attempt_at} />] as const] : []),
  ...closedOf(fiscal),
];

/** What the law does not permit of a document that waits for a person, and why; while it goes on by itself nothing is possible. */
const closedOf = ({ next }: Resource<'Fiscal'>) =>
  next && next.operation !== 'wait'
    ? Object.entries(next.closed).map(
        ([operation, why]) => [`${t('fiscal.closed')}: ${named('fiscal.closed', operation)}`, <bdi key={operation}>{why}</bdi>] as const,
      )
    : [];

/** Its page at the authority. Only an address of the web becomes a link. */
const Verify = ({ url }: { url: string }) =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? (
    <a href={url} target="_blank" rel="noreferrer">
      {new URL(url).host}
    </a>
  ) : (
    url
  );
