import { TextInput } from '@mantine/core';
import { type Dispatch, memo } from 'react';
import { t } from '../../texts/t.ts';
import { Columns, Fields } from '../../ui/fields.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CustomerField } from './customer-field.tsx';
import type { FormErrors } from './errors.ts';
import type { Change } from './state.ts';
import type { Head } from './values.ts';

export interface HeadProps {
  head: Head;
  dispatch: Dispatch<Change>;
  errors: FormErrors['head'];
  /** True once it has its number: its currency, series and issue date stay. */
  isNumbered: boolean;
}

/** Whom it is for and when. */
export const Heading = memo(function Heading({ head, dispatch, errors, isNumbered }: HeadProps) {
  const change = (to: Partial<Head>): void => dispatch({ change: 'head', to });
  const date = (name: 'issue_date' | 'due_date') => ({
    type: 'date' as const,
    value: head[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  });
  return (
    <Panel>
      <Fields>
        <CustomerField
          value={head.customer}
          onChange={(customer) => change({ customer })}
          error={errors['customer_id']}
          isFixed={head.type !== 'standard'}
        />
        <Columns>
          <TextInput disabled={isNumbered} label={t('form.issueDate')} description={t('form.issueDateAbout')} {...date('issue_date')} />
          <TextInput label={t('form.dueDate')} description={t('form.dueDateAbout')} {...date('due_date')} />
        </Columns>
      </Fields>
    </Panel>
  );
});
