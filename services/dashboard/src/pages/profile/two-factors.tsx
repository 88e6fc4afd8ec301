import { Button, Modal } from '@mantine/core';
import { answered } from '@svc/client/console';
import { useState } from 'react';
import { general } from '../../api/consoles.ts';
import { refreshSession } from '../../session/session.ts';
import { TotpSetup } from '../../session/totp-setup.tsx';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import type { User } from './me.ts';

/** Turns two factors on and off. */
export function TwoFactors({ user }: { user: User }) {
  const [open, setOpen] = useState<'on' | 'off'>();
  const done = async (): Promise<void> => {
    setOpen(undefined);
    await refreshSession();
  };
  const off = useSaving({ run: (_: undefined) => answered(general.DELETE('/console/me/totp')), done });
  return (
    <Panel
      title={t('profile.twoFactors')}
      about={t('profile.twoFactorsAbout')}
      actions={<Badge tone={user.totp ? 'good' : 'calm'}>{t(user.totp ? 'profile.on' : 'profile.off')}</Badge>}
    >
      {user.totp ? (
        <Button variant="default" onClick={() => setOpen('off')}>
          {t('profile.turnOff')}
        </Button>
      ) : (
        <Button variant="default" onClick={() => setOpen('on')}>
          {t('totp.begin')}
        </Button>
      )}
      <Modal opened={open === 'on'} onClose={() => void done()} title={t('totp.begin')} closeOnClickOutside={false}>
        <TotpSetup done={() => void done()} />
      </Modal>
      <Confirm
        opened={open === 'off'}
        close={() => setOpen(undefined)}
        title={t('profile.turnOffTitle')}
        button={t('profile.turnOff')}
        saving={off}
        isDangerous
      >
        <p>{t('profile.turnOffAbout')}</p>
      </Confirm>
    </Panel>
  );
}
