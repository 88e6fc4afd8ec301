import { Checkbox, Switch } from '@mantine/core';
import { named, t } from '../../texts/t.ts';
import { permissionTable } from './keys.ts';
import classes from './permissions.module.css';

interface PermissionsProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** What the member itself may: a key gets no more. */
  allowed: (permission: string) => boolean;
  error: React.ReactNode;
}

/** What the key may do: everything, or what is chosen by subject. */
export function Permissions({ value, onChange, allowed, error }: PermissionsProps) {
  const isAll = value.includes('*');
  const toggle = (permission: string): void =>
    onChange(value.includes(permission) ? value.filter((one) => one !== permission) : [...value.filter((one) => one !== '*'), permission]);
  return (
    <fieldset className={classes['set']} aria-invalid={error ? true : undefined}>
      <legend className={classes['legend']}>{t('keys.permissions')}</legend>
      <Switch
        label={t('keys.allOfThem')}
        checked={isAll}
        disabled={!allowed('*')}
        onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : [])}
      />
      {!isAll && (
        <div className={classes['table']}>
          {permissionTable.map(({ subject, actions }) => (
            <div key={subject} className={classes['row']} role="group" aria-label={named('subject', subject)}>
              <span className={classes['subject']}>{named('subject', subject)}</span>
              <span className={classes['actions']}>
                {actions.map((action) => (
                  <Checkbox
                    key={action}
                    size="sm"
                    label={named('can', action)}
                    aria-label={`${named('subject', subject)}: ${named('can', action)}`}
                    checked={value.includes(`${subject}:${action}`)}
                    disabled={!allowed(`${subject}:${action}`)}
                    onChange={() => toggle(`${subject}:${action}`)}
                  />
                ))}
              </span>
            </div>
          ))}
        </div>
      )}
      {error && (
        <p className={classes['error']} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
