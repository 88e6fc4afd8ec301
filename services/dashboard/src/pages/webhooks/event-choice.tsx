import { Checkbox, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { named, t } from '../../texts/t.ts';
import { eventGroups } from './endpoints.ts';
import classes from './event-choice.module.css';

interface EventChoiceProps {
  /** `['*']`: every event, also of kinds that come later. */
  value: readonly string[];
  onChange: (value: string[]) => void;
  error?: ReactNode;
}

/** The events that an endpoint gets: all, or those that are chosen, by what they are of. */
export function EventChoice({ value, onChange, error }: EventChoiceProps) {
  const isAll = value.includes('*');
  const toggle = (name: string): void =>
    onChange(value.includes(name) ? value.filter((one) => one !== name) : [...value.filter((one) => one !== '*'), name]);
  return (
    <fieldset className={classes['set']} aria-invalid={error ? true : undefined}>
      <legend className={classes['legend']}>{t('hooks.events')}</legend>
      <Switch label={t('hooks.allEvents')} checked={isAll} onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : [])} />
      {!isAll && (
        <div className={classes['table']}>
          {eventGroups.map(({ subject, events }) => (
            <div key={subject} className={classes['row']} role="group" aria-label={named('subject', subject)}>
              <span className={classes['subject']}>{named('subject', subject)}</span>
              <span className={classes['events']}>
                {events.map((name) => (
                  <Checkbox
                    key={name}
                    size="sm"
                    label={named('event', name.split('.')[1] ?? name)}
                    aria-label={name}
                    checked={value.includes(name)}
                    onChange={() => toggle(name)}
                  />
                ))}
              </span>
            </div>
          ))}
        </div>
      )}
      {error && (
        <p className={classes['error']} role="alert">
          {value.length === 0 ? t('hooks.eventsNone') : error}
        </p>
      )}
    </fieldset>
  );
}
