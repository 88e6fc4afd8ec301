import classes from './source.module.css';

/** A text as it was sent or answered. It stays text, whatever it holds; a long one is scrolled, also by keyboard. */
export const Source = ({ label, text }: { label: string; text: string }) => (
  <pre className={classes['source']} tabIndex={0} role="group" aria-label={label}>
    {text}
  </pre>
);
