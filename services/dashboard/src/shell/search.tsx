import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { answered } from '@svc/client/console';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useConsole } from '../api/consoles.ts';
import type { Resource } from '../api/types.ts';
import { named, t } from '../texts/t.ts';
import { useHasPage } from '../ui/page-link.tsx';
import { Icon } from '../ui/icon.tsx';
import classes from './search.module.css';

type Found = Resource<'FoundRow'>;

const FRESH_MS = 5_000;
/** A search costs as much as three other requests: not every key press is one. */
const TYPED_MS = 150;
const addressOf = ({ kind, id }: Found): string => `/app/${kind}s/${id}`;

/** Finds documents, customers and products by number, name, tax id, e-mail, code, id or amount. */
export const Search = ({ opened, close }: { opened: boolean; close: () => void }) => (
  <Modal.Root opened={opened} onClose={close} yOffset="12vh" centered={false} padding={0} size={560}>
    <Modal.Overlay backgroundOpacity={0.4} />
    <Modal.Content aria-label={t('search.title')} radius="lg">
      {opened && <SearchBox close={close} />}
    </Modal.Content>
  </Modal.Root>
);

function SearchBox({ close }: { close: () => void }) {
  const { console, env } = useConsole();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const hasPage = useHasPage();
  const queries = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [q] = useDebouncedValue(text.trim(), TYPED_MS);
  const searchQuery = (words: string) =>
    queryOptions({
      queryKey: [env, 'search', words],
      queryFn: ({ signal }) => answered(console.GET('/console/search', { params: { query: { q: words } }, signal })),
      staleTime: FRESH_MS,
    });
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...searchQuery(q),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });
  const found = q.length > 1 ? (data?.data ?? []) : [];
  const isPartly = q.length > 1 && data?.too_many !== undefined;
  const isOfText = q === text.trim() && !isPlaceholderData;
  const open = (row: Found | undefined): void => {
    if (!row || !hasPage(addressOf(row))) return;
    close();
    void navigate({ to: addressOf(row) });
  };
  /** Opens what is found for the text that is there: what is shown may still be of the one before. */
  const enter = async (): Promise<void> => {
    const words = text.trim();
    if (words.length < 2) return;
    const { data: rows } = await queries.fetchQuery(searchQuery(words));
    // Not where it was closed, or more was typed meanwhile.
    if (field.current?.value.trim() === words) open(rows[isOfText ? at : 0]);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setAt((at + step + found.length) % found.length);
    }
    if (event.key === 'Enter') enter().catch(() => undefined); // the query has its error, which is shown
  };
  return (
    <div>
      <TextInput
        ref={field}
        data-autofocus
        variant="unstyled"
        size="md"
        leftSection={<Icon name="search" />}
        aria-label={t('search.title')}
        placeholder={t('search.placeholder')}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls="search-found"
        aria-activedescendant={found[at] && `found-${found[at].id}`}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
      />
      <ul id="search-found" role="listbox" aria-label={t('search.found')} className={classes['found']}>
        {found.map((row, n) => (
          <li
            key={row.id}
            id={`found-${row.id}`}
            role="option"
            aria-selected={n === at}
            aria-disabled={!hasPage(addressOf(row))}
            className={classes['row']}
            onMouseMove={() => setAt(n)}
            onClick={() => open(row)}
          >
            <Icon name={`${row.kind}${row.kind === 'invoice' || row.kind === 'receipt' ? '' : 's'}` as 'invoice'} size={16} />
            <span className={classes['title']}>{row.title}</span>
            <span className={classes['kind']}>{named('kind', row.kind)}</span>
          </li>
        ))}
      </ul>
      <p role="status" className={classes['hint']}>
        {error
          ? t('search.failed')
          : isPartly
            ? t('search.tooMany')
            : found.length > 0
              ? t('search.keys')
              : q.length > 1 && !isFetching
                ? t('search.none')
                : t('search.hint')}
      </p>
    </div>
  );
}
