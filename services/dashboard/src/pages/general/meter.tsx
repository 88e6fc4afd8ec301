import classes from './meter.module.css';

interface MeterProps {
  label: string;
  value: number;
  max: number;
  text: string;
  about?: string;
}

/** How much of a limit is used. */
export const Meter = ({ label, value, max, text, about }: MeterProps) => (
  <div className={classes['row']}>
    <span>{label}</span>
    <meter className={classes['meter']} aria-label={label} value={value} max={Math.max(max, 1)} high={max * 0.8}>
      {text}
    </meter>
    <span className={classes['text']}>{text}</span>
    {about && <span className={classes['about']}>{about}</span>}
  </div>
);
