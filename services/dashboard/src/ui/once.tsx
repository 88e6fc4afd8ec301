import { Button, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { t } from '../texts/t.ts';
import { Icon } from './icon.tsx';
import classes from './once.module.css';

/** A value that is shown in this answer alone, to be copied. A browser that lets no page copy still selects it by one click. */
export function Once({ label, value }: { label: string; value: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <div className={classes['once']}>
      <span className={classes['label']}>{label}</span>
      <div className={classes['line']}>
        <code className={classes['value']}>{value}</code>
        <Button variant="default" data-autofocus leftSection={<Icon name={isCopied ? 'check' : 'copy'} size={16} />} onClick={copy}>
          {t(isCopied ? 'once.copied' : 'once.copy')}
        </Button>
      </div>
      <VisuallyHidden role="status">{isCopied ? t('once.copied') : ''}</VisuallyHidden>
    </div>
  );
}
