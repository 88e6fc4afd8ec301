import { t } from '../../texts/t.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Ago, Time } from '../../ui/time.tsx';
import type { Credentials } from './credentials.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;

type Certificate = Pick<Credentials, 'subject' | 'serial' | 'expires_at' | 'fingerprint' | 'created_at'>;

/** Whom a certificate names, whether it is valid, until when, and what distinguishes it from others. */
export const CertificateFacts = ({ certificate }: { certificate: Certificate }) => <Facts rows={rowsOf(certificate)} />;

const rowsOf = ({ subject, serial, expires_at: ends, fingerprint, created_at: at }: Certificate) => [
  [t('authority.state'), <State key="state" ends={ends} />] as const,
  [t('authority.subject'), <bdi key="subject">{subject}</bdi>] as const,
  [
    t('authority.ends'),
    <span key="ends">
      <Time at={ends} /> (<Ago at={ends} />)
    </span>,
  ] as const,
  [t('authority.serial'), <code key="serial">{serial}</code>] as const,
  [t('authority.fingerprint'), <code key="fingerprint">{fingerprint}</code>] as const,
  ...(at ? [[t('authority.uploaded'), <Time key="at" at={at} />] as const] : []),
];

const tones = { ended: 'bad', endsSoon: 'warn', valid: 'good' } as const satisfies Record<string, Tone>;

function stateOf(ends: string): keyof typeof tones {
  const days = (Date.parse(ends) - Date.now()) / DAY_MS;
  return days < 0 ? 'ended' : days < SOON_DAYS ? 'endsSoon' : 'valid';
}

function State({ ends }: { ends: string }) {
  const state = stateOf(ends);
  return <Badge tone={tones[state]}>{t(`authority.${state}`)}</Badge>;
}
