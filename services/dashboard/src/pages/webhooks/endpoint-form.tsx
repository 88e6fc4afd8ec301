import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Intent, Once } from '../../api/intent.ts';
import { t } from '../../texts/t.ts';
import { Failure } from '../../ui/failure.tsx';
import { Fields } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { useSaving } from '../../ui/saving.ts';
import type { EndpointValues } from './endpoint-values.ts';
import { EventChoice } from './event-choice.tsx';
import { HeaderFields } from './header-fields.tsx';

const fields = ['url', 'events', 'description', 'headers', 'rate_per_second'];

interface EndpointFormProps<Saved> {
  initial: EndpointValues;
  save: (values: EndpointValues, once: Once) => Promise<Saved>;
  /** What the page shows then. */
  done: (saved: Saved) => unknown;
  /** Of a new one: it outlives the dialog. */
  intent?: Intent | undefined;
  button: string;
  cancel: () => void;
}

/** Where events are sent to, which, and how, of a new endpoint and of one that is changed. */
export function EndpointForm<Saved>({ initial, save, done, intent, button, cancel }: EndpointFormProps<Saved>) {
  const form = useForm({ initialValues: initial });
  const setErrors = ({ rate_per_second: rate, ...rest }: Record<string, string>): void => form.setErrors({ ...rest, rate });
  const saving = useSaving({ run: save, done, intent, form: { setErrors, setValues: form.setValues, fields } });
  return (
    <form onSubmit={form.onSubmit(saving.run)}>
      {saving.error && <Failure error={saving.error} />}
      <Fields>
        <TextInput
          data-autofocus
          required
          label={t('hooks.url')}
          description={t('hooks.urlAbout')}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('url')}
        />
        <TextInput label={t('hooks.description')} maxLength={500} {...form.getInputProps('description')} />
        <EventChoice value={form.values.events} onChange={(events) => form.setFieldValue('events', events)} error={form.errors['events']} />
        <HeaderFields
          value={form.values.headers}
          onChange={(headers) => form.setFieldValue('headers', headers)}
          error={form.errors['headers']}
        />
        <TextInput
          type="number"
          min={1}
          label={t('hooks.rate')}
          description={t('hooks.rateAbout')}
          w={220}
          maw="100%"
          {...form.getInputProps('rate')}
        />
      </Fields>
      <FormButtons cancel={cancel} saving={saving} button={button} />
    </form>
  );
}
