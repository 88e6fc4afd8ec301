import { NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useCan } from '../../session/session.ts';
import { named, t } from '../../texts/t.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Columns, Fields } from '../../ui/fields.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { useSaving } from '../../ui/saving.ts';
import {
  changesOf,
  type Device,
  type DeviceField,
  deviceTexts,
  type DeviceValues,
  isTyped,
  mergeDevices,
  MOST_DEVICES,
  valuesOf,
} from './device-values.ts';
import { type Issuer, useIssuerForm } from './issuer.ts';
import { RegisterTill } from './register-till.tsx';

type Values = ReturnType<typeof valuesOf>;

/** Authorities that know each till, and give it a code. */
const knowTills = new Set(['al-cis', 'me-efi']);
export const hasTillsAtAuthority = ({ authority, devices }: Issuer): boolean => knowTills.has(authority ?? '') && devices.length > 0;

/** What the tax authority knows of each till: documents that name one need its code. */
export function DevicesForm({ issuer }: { issuer: Issuer }) {
  const canWrite = useCan()('settings:write');
  const { initial, save, shown, follow, merged } = useIssuerForm<Values>(issuer, { valuesOf, changesOf, merge: mergeDevices });
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [seen, setSeen] = useState(issuer);
  // A registration changes them while the form is open.
  if (issuer.version > seen.version) {
    setSeen(issuer);
    setValues((typed) => merged({ before: seen, now: issuer }, typed));
  }
  const take = useEffectEvent(follow);
  useEffect(() => take(issuer), [issuer]);
  const saving = useSaving({
    run(sent: Values) {
      setErrors({});
      return save(sent);
    },
    done: (saved, sent) => setValues((typed) => shown(saved, sent, typed)),
    form: {
      ...{ setErrors, setValues },
      fields: values.devices.flatMap((_, n) => [...deviceTexts, 'type'].map((name) => `devices.${n}.${name}`)),
    },
  });
  const set = (at: number, to: Partial<DeviceValues>): void =>
    setValues({ devices: values.devices.map((one, n) => (n === at ? { ...one, ...to } : one)) });
  return (
    <FormPanel
      title={t('devices.title')}
      about={issuer.devices.length > MOST_DEVICES ? t('devices.first', { count: MOST_DEVICES }) : t('devices.about')}
      saving={saving}
      canWrite={canWrite}
      onSubmit={(event) => {
        event.preventDefault();
        saving.run(values);
      }}
    >
      {values.devices.map((device, n) => (
        <DeviceFields
          key={`${device.unit} ${device.code}`}
          values={device}
          device={issuer.devices.find(({ code, unit }) => code === device.code && unit === device.unit)}
          errorOf={(name) => errors[`devices.${n}.${name}`]}
          change={(to) => set(n, to)}
        />
      ))}
    </FormPanel>
  );
}

interface DeviceFieldsProps {
  values: DeviceValues;
  /** As it is now; undefined: it is none any more. */
  device: Device | undefined;
  errorOf: (name: DeviceField) => string | undefined;
  change: (to: Partial<DeviceValues>) => void;
}

const tones: Record<string, Tone> = { unregistered: 'warn', registering: 'info', registered: 'good', refused: 'bad' };
const types = ['regular', 'vending'] as const;

function DeviceFields({ values, device, errorOf, change }: DeviceFieldsProps) {
  const name = t('devices.of', { device: values.code, unit: values.unit });
  const text = (field: (typeof deviceTexts)[number]) => (
    <TextInput
      key={field}
      type={field.startsWith('valid_') ? 'date' : 'text'}
      inputMode={field === 'initial_amount' ? 'decimal' : undefined}
      label={t(`devices.${field}`)}
      value={values[field]}
      error={errorOf(field)}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  );
  return (
    <div role="group" aria-label={name}>
      <Fields>
        <p>
          <bdi>{name}</bdi> {device && <Badge tone={tones[device.state] ?? 'calm'}>{named('devices.state', device.state)}</Badge>}
        </p>
        <Columns>{deviceTexts.slice(0, 3).map(text)}</Columns>
        <Columns>
          {deviceTexts.slice(3).map(text)}
          <NativeSelect
            label={t('devices.type')}
            data={types.map((value) => ({ value, label: t(`devices.type.${value}`) }))}
            value={values.type}
            error={errorOf('type')}
            onChange={(event) => change({ type: event.currentTarget.value })}
          />
        </Columns>
        {device && <RegisterTill device={device} isChanged={isTyped(device, values)} />}
      </Fields>
    </div>
  );
}
