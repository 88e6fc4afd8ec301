import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../session/session.ts';
import { t } from '../../texts/t.ts';
import { changedFields } from '../../ui/change.ts';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSaving } from '../../ui/saving.ts';
import classes from '../../ui/small-fields.module.css';
import { type Issuer, type IssuerChange, useIssuerForm } from './issuer.ts';

type Unit = Issuer['units'][number];
/** `devices`: their codes, separated by commas, as typed. `was`: what the form does not show of it is kept. */
interface UnitValues {
  code: string;
  devices: string;
  was: Unit | null;
}
interface Values {
  units: UnitValues[];
  operators: Issuer['operators'];
}

const valuesOf = ({ units, operators }: Issuer): Values => ({
  units: units.map((unit) => ({ code: unit.code, devices: (unit.devices ?? []).join(', '), was: unit })),
  operators,
});

const devicesOf = (text: string): string[] =>
  text
    .split(',')
    .map((code) => code.trim())
    .filter(Boolean);

const sentOf = ({ units, operators }: Values): IssuerChange => ({
  units: units.map(({ code, devices, was }) => ({ ...was, code: code.trim(), devices: devicesOf(devices) })) as IssuerChange['units'] &
    object,
  operators: operators.map(({ code, name }) => ({ code: code.trim(), name: name.trim() })),
});

const changesOf = (before: Values, now: Values): IssuerChange => changedFields(sentOf(before), sentOf(now));

const replaced = <Row,>(rows: readonly Row[], at: number, to: Partial<Row>): Row[] =>
  rows.map((row, n) => (n === at ? { ...row, ...to } : row));

/** Where receipts are issued, on which devices, and by whom. */
export function UnitsForm({ issuer }: { issuer: Issuer }) {
  const canWrite = useCan()('settings:write');
  const { initial, save, shown } = useIssuerForm<Values>(issuer, { valuesOf, changesOf });
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { units, operators } = values;
  const fields = [
    ...units.flatMap((_, n) => [`units.${n}.code`, `units.${n}.devices`, `units.${n}`]),
    ...operators.flatMap((_, n) => [`operators.${n}.code`, `operators.${n}.name`]),
  ];
  const saving = useSaving({
    run(sent: Values) {
      setErrors({});
      return save(sent);
    },
    done: (saved, sent) => setValues((typed) => shown(saved, sent, typed)),
    form: { setErrors, setValues, fields },
  });
  const setUnit = (at: number, to: Partial<UnitValues>): void => setValues({ operators, units: replaced(units, at, to) });
  const setOperator = (at: number, to: Partial<Values['operators'][number]>): void =>
    setValues({ units, operators: replaced(operators, at, to) });
  return (
    <FormPanel
      title={t('issuer.units')}
      about={t('issuer.unitsAbout')}
      saving={saving}
      canWrite={canWrite}
      onSubmit={(event) => {
        event.preventDefault();
        saving.run(values);
      }}
    >
      {units.map(({ code, devices }, n) => (
        <div key={n} className={classes['fields']} role="group" aria-label={t('issuer.unit', { n: n + 1 })}>
          <TextInput
            label={t('issuer.unit', { n: n + 1 })}
            value={code}
            error={errors[`units.${n}.code`] ?? errors[`units.${n}`]}
            onChange={(event) => setUnit(n, { code: event.currentTarget.value })}
          />
          <TextInput
            label={t('issuer.devices', { n: n + 1 })}
            value={devices}
            error={errors[`units.${n}.devices`]}
            onChange={(event) => setUnit(n, { devices: event.currentTarget.value })}
          />
          <Remove name={t('issuer.unit', { n: n + 1 })} run={() => setValues({ operators, units: units.filter((_, at) => at !== n) })} />
        </div>
      ))}
      {operators.map(({ code, name }, n) => (
        <div key={n} className={classes['fields']} role="group" aria-label={t('issuer.operator', { n: n + 1 })}>
          <TextInput
            label={t('issuer.operator', { n: n + 1 })}
            value={code}
            error={errors[`operators.${n}.code`]}
            onChange={(event) => setOperator(n, { code: event.currentTarget.value })}
          />
          <TextInput
            label={t('issuer.operatorName', { n: n + 1 })}
            value={name}
            error={errors[`operators.${n}.name`]}
            onChange={(event) => setOperator(n, { name: event.currentTarget.value })}
          />
          <Remove
            name={t('issuer.operator', { n: n + 1 })}
            run={() => setValues({ units, operators: operators.filter((_, at) => at !== n) })}
          />
        </div>
      ))}
      {canWrite && (
        <div>
          <Add text={t('issuer.addUnit')} run={() => setValues({ operators, units: [...units, { code: '', devices: '', was: null }] })} />{' '}
          <Add text={t('issuer.addOperator')} run={() => setValues({ units, operators: [...operators, { code: '', name: '' }] })} />
        </div>
      )}
    </FormPanel>
  );
}

const Remove = ({ name, run }: { name: string; run: () => void }) => (
  <ActionIcon variant="subtle" color="gray" aria-label={t('form.remove', { name })} onClick={run}>
    <Icon name="close" size={16} />
  </ActionIcon>
);

const Add = ({ text, run }: { text: string; run: () => void }) => (
  <Button size="compact-xs" variant="default" leftSection={<Icon name="plus" size={12} />} onClick={run}>
    {text}
  </Button>
);
