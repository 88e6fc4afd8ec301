import { type InputHTMLAttributes, useId } from 'react';
import classes from './cells.module.css';

interface CellProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  error?: string | undefined;
  align?: 'end';
}

/** A field of a line. A plain one: a form has thousands of them. */
export function Cell({ label, error, align, ...input }: CellProps) {
  const id = useId();
  return (
    <div>
      <input
        {...input}
        className={classes['cell']}
        data-align={align}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
      />
      {error && (
        <span id={id} className={classes['message']}>
          {error}
        </span>
      )}
    </div>
  );
}
