import { type InputHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import classes from './cells.module.css';

interface Messaged {
  label: string;
  error?: string | undefined;
}
interface Hinted {
  /** Shown while there is no error. */
  hint?: string | undefined;
}

/** A field of a line. A plain one: a form has thousands of them. */
export function Cell({
  label,
  error,
  hint,
  align,
  ...input
}: Messaged & Hinted & { align?: 'end' } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div>
      <input {...input} {...named(label, error, id)} {...(hint && { 'aria-describedby': id })} data-align={align} />
      <Message id={id} error={error} hint={hint} />
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

const Message = ({ id, error, hint }: { id: string; error: string | undefined } & Hinted) =>
  error || hint ? (
    <span id={id} className={classes[error ? 'message' : 'hint']}>
      {error || hint}
    </span>
  ) : null;
