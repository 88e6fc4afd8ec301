import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import classes from './filters.module.css';
import type { ListSearch } from './list-search.ts';

/** The filters of a list in one line, and a button that takes them all away. */
export function Filters<Name extends string>({ search, children }: { search: ListSearch<Name>; children: ReactNode }) {
  const set = Object.keys(search.filters) as Name[];
  const clear = (): void => search.filter(Object.fromEntries(set.map((name) => [name, ''])) as Partial<Record<Name, string>>);
  return (
    <div className={classes['filters']} role="group" aria-label={t('list.filters')}>
      {children}
      {set.length > 0 && (
        <Button variant="subtle" color="gray" onClick={clear}>
          {t('list.clear')}
        </Button>
      )}
    </div>
  );
}

interface FilterProps<Name extends string> {
  search: ListSearch<Name>;
  name: Name;
  label: string;
}

/** A filter with values to choose from. */
export const ChoiceFilter = <Name extends string>({ search, name, label, options }: FilterProps<Name> & { options: readonly Option[] }) => (
  <NativeSelect
    size="sm"
    aria-label={label}
    data={[{ value: '', label }, ...options]}
    value={search.filters[name] ?? ''}
    onChange={(event) => search.filter({ [name]: event.currentTarget.value } as Partial<Record<Name, string>>)}
  />
);

interface Option {
  value: string;
  label: string;
}

/** The options, with the value that is set where it is none of them, by its name where that is known. */
export const withChosen = (options: readonly Option[], chosen: string | undefined, name: string | null | undefined): readonly Option[] =>
  chosen === undefined || options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label: name ?? chosen }];

/** Of the label before a day. */
const LETTER_PX = 7;

/** A filter that takes any text, or a day. It filters when it is left or Enter is pressed. */
export function TextFilter<Name extends string>({
  search,
  name,
  label,
  type = 'text',
}: FilterProps<Name> & { type?: 'text' | 'date' | 'datetime-local' }) {
  const now = search.filters[name] ?? '';
  const apply = (text: string): void => {
    if (text.trim() !== now) search.filter({ [name]: text.trim() } as Partial<Record<Name, string>>);
  };
  return (
    <TextInput
      size="sm"
      type={type}
      aria-label={label}
      placeholder={label}
      // A field for days shows no placeholder.
      leftSection={type !== 'text' && <span className={classes['label']}>{label}</span>}
      leftSectionWidth={type === 'text' ? undefined : 22 + LETTER_PX * label.length}
      // What the address says replaces what was typed.
      key={now}
      defaultValue={now}
      onBlur={(event) => apply(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && apply(event.currentTarget.value)}
    />
  );
}
