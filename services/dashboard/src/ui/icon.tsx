/** Shapes of icons, drawn with lines on a field of 24 by 24. */
const shapes = {
  today: 'M4 6.5h16M4 12h10M4 17.5h7M17 15.5l2 2 3.5-4',
  invoice: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8.5h5M9.5 12.5h5',
  receipt: 'M5 4h14v16H5zM8.5 8.5h7M8.5 12h7M8.5 15.5h4',
  till: 'M4 20h16v-5H4zM6 15V9h12v6M9 9V4h6v5M9 12h.1M12 12h.1M15 12h.1',
  customers:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.4-3.6 3-5.5 6.5-5.5s6.100 1.900 6.500 5.500M16 4.500a3.300 3.300 0 0 1 0 6.200M18 14.800c2 .7 3.200 2.500 3.500 5.200',
  products: 'M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.500 8-4.500M12 12v9',
  reports: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  webhooks:
    'M9.500 8.500L6.800 14M14.500 8.500l3 5.500M8.500 17h7M12 9.200a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM5.500 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18.500 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM9 19.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
  live: 'M5 12.500l4.500 4.500L19 7',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM20 20l-4.800-4.800',
  menu: 'M4 7h16M4 12h16M4 17h16',
  chevron: 'M9 6l6 6-6 6',
  down: 'M6 9.500l6 6 6-6',
  back: 'M15 6l-6 6 6 6',
  plus: 'M12 5v14M5 12h14',
  close: 'M6.500 6.500l11 11M17.500 6.500l-11 11',
  check: 'M5 12.500l4.500 4.500L19 7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  warning: 'M12 4l9 16H3zM12 10v4.500M12 17.200v.1',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 7.800v.1',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20.500c.6-4 3.500-6 7.500-6s6.900 2 7.500 6',
  out: 'M14 4h6v16h-6M4 12h11M11.500 8.500L15 12l-3.500 3.500',
  moon: 'M19.500 14A8 8 0 0 1 10 4.500a8 8 0 1 0 9.500 9.500z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v1.500M12 19.500V21M3 12h1.500M19.500 12H21M5.600 5.600l1 1M17.400 17.400l1 1M5.600 18.400l1-1M17.400 6.600l1-1',
  key: 'M8 19a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM11.500 11.500L20 3.500M16 7.500l3 3',
  dots: 'M5 12h.1M12 12h.1M19 12h.1',
} as const;

export type IconName = keyof typeof shapes;

/** Says nothing to a screen reader: the text beside it does. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'dots' ? 2.6 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      focusable="false"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
