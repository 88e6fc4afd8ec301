import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import classes from './suggest.module.css';

const TYPED_MS = 150;

/** What the field needs to be the head of its list. */
interface SuggestInput {
  role: 'combobox';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
  'aria-autocomplete': 'list';
  'aria-activedescendant': string | undefined;
  autoComplete: 'off';
  value: string;
  onChange(event: ChangeEvent<HTMLInputElement>): void;
  onKeyDown(event: KeyboardEvent): void;
  onFocus(): void;
}

interface SuggestProps<Row> {
  label: string;
  value: string;
  onChange: (text: string) => void;
  choose: (row: Row) => void;
  /** Below which key of the cache, and how, the rows of a text are read. */
  source: { key: readonly unknown[]; read: (text: string, signal: AbortSignal) => Promise<readonly Row[]> };
  optionOf: (row: Row) => { id: string; title: string; about?: string | undefined };
  /**
   * `focus`: the list opens at once, and Enter takes its first row. `typed`: the same, once something is typed. `text`: any text is right, and a row is taken
   * only after an arrow key.
   */
  opens: 'focus' | 'typed' | 'text';
  input: (props: SuggestInput) => ReactNode;
}

/** A field that offers what matches its text: arrow keys choose, Enter or a press takes. */
export function Suggest<Row>({ label, value, onChange, choose, source, optionOf, opens, input }: SuggestProps<Row>) {
  const id = useId();
  const first = opens === 'text' ? -1 : 0;
  const [isOpen, setOpen] = useState(false);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [at, setAt] = useState(first);
  // Enter was pressed before the rows of the text were there.
  const [isEntered, setEntered] = useState(false);
  const show = (open: boolean): void => {
    setEntered(false);
    setOpen(open);
    setAt(first);
    if (!open) setRows([]);
  };
  const take = (row: Row): void => {
    choose(row);
    show(false);
  };
  const found = (now: readonly Row[]): void => {
    setRows(now);
    if (isEntered && now[0] !== undefined) take(now[0]);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = rows[at];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) show(true);
      else if (rows.length > 0) setAt((at + step + rows.length) % rows.length);
    } else if (event.key === 'Enter' && isOpen && row !== undefined && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      take(row);
    } else if (event.key === 'Enter' && isOpen && opens !== 'text' && rows.length === 0 && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      setEntered(true);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      show(false);
    }
  };
  const optionId = (n: number): string => `${id}-${n}`;
  return (
    <div className={classes['suggest']} onBlur={(event: FocusEvent) => !event.currentTarget.contains(event.relatedTarget) && show(false)}>
      {input({
        role: 'combobox',
        'aria-expanded': isOpen && rows.length > 0,
        'aria-controls': isOpen ? id : undefined,
        'aria-autocomplete': 'list',
        'aria-activedescendant': isOpen && rows[at] !== undefined ? optionId(at) : undefined,
        autoComplete: 'off',
        value,
        onChange(event) {
          onChange(event.currentTarget.value);
          if (!isOpen) show(true);
          setAt(first);
          setEntered(false);
        },
        onKeyDown,
        onFocus: () => opens === 'focus' && show(true),
      })}
      {isOpen && <Found text={value.trim()} source={source} found={found} />}
      {isOpen && (
        <ul id={id} role="listbox" aria-label={label} className={classes['list']}>
          {rows.map((row, n) => {
            const { id: key, ...option } = optionOf(row);
            return <Option key={key} id={optionId(n)} isChosen={n === at} {...option} move={() => setAt(n)} take={() => take(row)} />;
          })}
        </ul>
      )}
    </div>
  );
}

interface FoundProps<Row> {
  text: string;
  source: SuggestProps<Row>['source'];
  found: (rows: readonly Row[]) => void;
}

/** Reads the rows while the list is open. Those of another text than the present one are none: Enter would take the wrong one. */
function Found<Row>({ text, source, found }: FoundProps<Row>) {
  const [q] = useDebouncedValue(text, TYPED_MS);
  const { data } = useQuery({ queryKey: [...source.key, q], queryFn: ({ signal }) => source.read(q, signal) });
  const report = useEffectEvent(found);
  const rows = q === text ? data : undefined;
  useEffect(() => report(rows ?? []), [rows]);
  return null;
}

interface OptionProps {
  id: string;
  title: string;
  about?: string | undefined;
  isChosen: boolean;
  move: () => void;
  take: () => void;
}

const Option = ({ id, title, about, isChosen, move, take }: OptionProps) => (
  <li
    id={id}
    role="option"
    aria-selected={isChosen}
    className={classes['option']}
    onMouseMove={move}
    // The focus stays in the field.
    onMouseDown={(event) => event.preventDefault()}
    onClick={take}
  >
    <bdi className={classes['title']}>{title}</bdi>
    {about && <span className={classes['about']}>{about}</span>}
  </li>
);
