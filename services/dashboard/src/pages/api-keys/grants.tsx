import { t } from '../../texts/t.ts';

const SHOWN = 2;

/** The permissions of a key in a few words. */
export function Grants({ permissions }: { permissions: readonly string[] }) {
  if (permissions.includes('*')) return t('keys.all');
  const more = permissions.length - SHOWN;
  const text = permissions.slice(0, SHOWN).join(', ');
  return <span title={permissions.join(', ')}>{more > 0 ? `${text} ${t('keys.more', { count: more })}` : text}</span>;
}
