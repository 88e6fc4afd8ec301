import { type InputHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import classes from './cells.module.css';

interface Messaged {
  label: string;
  error?: string | undefined;
}

/** A field of a line. A plain one: a form has thousands of them. */
export function Cell({ label, error, align, ...input }: Messaged & { align?: 'end' } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div>
      <input {...input} {...named(label, error, id)} data-align={align} />
      <Message id={id} error={error} />
    </div>
  );
}

/** The same for a text of several lines. */
export function TextCell({ label, error, ...input }: Messaged & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <div>
      <textarea {...input} {...named(label, error, id)} />
      <Message id={id} error={error} />
    </div>
  );
}

const named = (label: string, error: string | undefined, id: string) => ({
  className: classes['cell'],
  'aria-label': label,
  'aria-invalid': error ? true : undefined,
  'aria-describedby': error ? id : undefined,
});

const Message = ({ id, error }: { id: string; error: string | undefined }) =>
  error ? (
    <span id={id} className={classes['message']}>
      {error}
    </span>
  ) : null;
