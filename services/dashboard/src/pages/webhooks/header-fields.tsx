import { Button, CloseButton, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Header, newHeader } from './endpoint-values.ts';
import classes from './header-fields.module.css';

const MOST = 10;

interface HeaderFieldsProps {
  value: readonly Header[];
  onChange: (value: Header[]) => void;
  error?: ReactNode;
}

/** Headers that are sent with each event, such as a token of the receiver. Values that are stored are not shown. */
export function HeaderFields({ value, onChange, error }: HeaderFieldsProps) {
  const change = (key: string, part: Partial<Header>): void => onChange(value.map((one) => (one.key === key ? { ...one, ...part } : one)));
  return (
    <fieldset className={classes['set']} aria-invalid={error ? true : undefined}>
      <legend className={classes['legend']}>{t('hooks.headers')}</legend>
      <p className={classes['about']}>{t('hooks.headersAbout')}</p>
      {value.map(({ key, name, value: text, isStored }) => (
        <div key={key} className={classes['row']}>
          <TextInput
            aria-label={t('hooks.headerName')}
            placeholder={t('hooks.headerName')}
            value={name}
            readOnly={isStored}
            maxLength={64}
            onChange={(event) => change(key, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={t('hooks.headerValueOf', { name: name || t('hooks.headers') })}
            placeholder={t(isStored ? 'hooks.headerKept' : 'hooks.headerValue')}
            autoComplete="off"
            value={text}
            onChange={(event) => change(key, { value: event.currentTarget.value })}
          />
          <CloseButton
            aria-label={t('hooks.headerRemove', { name: name || t('hooks.headers') })}
            onClick={() => onChange(value.filter((one) => one.key !== key))}
          />
        </div>
      ))}
      {value.length < MOST && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onChange([...value, newHeader()])}
        >
          {t('hooks.headerAdd')}
        </Button>
      )}
      {error && (
        <p className={classes['error']} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
