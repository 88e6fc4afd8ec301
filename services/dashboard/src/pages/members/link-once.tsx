import { Button } from '@mantine/core';
import { t } from '../../texts/t.ts';
import { Actions } from '../../ui/actions.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Once } from '../../ui/once.tsx';

/** A one-time link, which one hands over: no mail is sent. */
export const LinkOnce = ({ about, url, close }: { about: string; url: string; close: () => void }) => (
  <>
    <Notice tone="warn">{about}</Notice>
    <Once label={t('members.link')} value={url} />
    <Actions>
      <Button variant="default" onClick={close}>
        {t('action.done')}
      </Button>
    </Actions>
  </>
);
