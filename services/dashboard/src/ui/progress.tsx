import classes from './progress.module.css';

interface ProgressProps {
  label: string;
  value: number;
  max: number;
  text: string;
}

/** How far something is that goes on by itself. */
export const Progress = ({ label, value, max, text }: ProgressProps) => (
  <div>
    <progress className={classes['bar']} aria-label={label} max={Math.max(max, 1)} value={value} />
    <span>{text}</span>
  </div>
);
