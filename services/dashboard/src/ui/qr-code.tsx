import { create } from 'qrcode';
import { useMemo } from 'react';
import classes from './qr-code.module.css';

/** Dark on light whatever the look is: many readers take no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' });
    const cells = Array.from(modules.data, (dark, n) => (dark ? `M${n % modules.size} ${Math.floor(n / modules.size)}h1v1h-1z` : ''));
    return { size: modules.size, path: cells.join('') };
  }, [text]);
  return (
    <svg className={classes['code']} viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
