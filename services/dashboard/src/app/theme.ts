import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { t } from '../texts/t.ts';

const brand: MantineColorsTuple = [
  ...(['#f1f2fe', '#e2e4fd', '#c1c5fa', '#9ea4f6', '#7f86f0', '#6970ea', '#4f56e0', '#444ac9', '#393fae', '#2e338f'] as const),
];
const gray: MantineColorsTuple = [
  ...(['#fafafb', '#f4f4f6', '#eaeaee', '#dedee4', '#c6c6cf', '#9c9ca8', '#71717f', '#565663', '#363641', '#1b1b23'] as const),
];
const dark: MantineColorsTuple = [
  ...(['#e3e3e9', '#b4b5c0', '#9a9ba8', '#6b6c7a', '#444552', '#31323c', '#262730', '#16171d', '#101116', '#0b0c10'] as const),
];

const named = { 'aria-label': t('action.close') };

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 6 },
  colors: { brand, gray, dark },
  defaultRadius: 'md',
  fontFamily: "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5' },
  headings: { fontWeight: '600' },
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: { defaultProps: { centered: true, radius: 'lg', overlayProps: { backgroundOpacity: 0.4 }, closeButtonProps: named } },
    // Beside its button, so that it is in the same part of the page; its first entry has the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, withinPortal: false, floatingStrategy: 'fixed' } },
    Drawer: { defaultProps: { closeButtonProps: named } },
  },
});

/** Colours that the library's own do not make readable: contrast of 4.5 on the page and on its panels. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': gray[9],
    '--mantine-color-dimmed': '#5f5f6c',
    '--mantine-color-placeholder': '#73737f',
    '--mantine-color-error': '#c4262e',
    '--mantine-color-anchor': brand[7],
    '--mantine-color-default-border': gray[3],
    '--app-panel': '#ffffff',
    '--app-page': gray[0],
    '--app-side': '#f5f5f7',
    '--app-line': gray[2],
    '--app-hover': 'rgb(27 27 35 / 4%)',
    '--app-chosen': 'rgb(79 86 224 / 10%)',
    '--app-chosen-text': brand[8],
    '--app-good': '#12703f',
    '--app-good-soft': '#e3f5ea',
    '--app-warn': '#8a5300',
    '--app-warn-soft': '#fdf0d5',
    '--app-bad': '#b3202a',
    '--app-bad-soft': '#fdeaea',
    '--app-calm': '#4a4a57',
    '--app-calm-soft': gray[2],
    '--app-info': brand[8],
    '--app-info-soft': brand[0],
  },
  dark: {
    '--mantine-color-text': dark[0],
    '--mantine-color-dimmed': '#a3a4b0',
    '--mantine-color-placeholder': '#8d8e9b',
    '--mantine-color-error': '#ff8a8a',
    '--mantine-color-anchor': '#a9aef8',
    '--mantine-color-default-border': dark[5],
    '--app-panel': '#1c1d24',
    '--app-page': dark[7],
    '--app-side': '#121318',
    '--app-line': '#2a2b34',
    '--app-hover': 'rgb(255 255 255 / 5%)',
    '--app-chosen': 'rgb(127 134 240 / 18%)',
    '--app-chosen-text': '#c1c5fa',
    '--app-good': '#7fdca6',
    '--app-good-soft': '#143324',
    '--app-warn': '#f3c26b',
    '--app-warn-soft': '#382a10',
    '--app-bad': '#ff9a9a',
    '--app-bad-soft': '#3b1a1d',
    '--app-calm': '#c3c4ce',
    '--app-calm-soft': '#2b2c36',
    '--app-info': '#c1c5fa',
    '--app-info-soft': '#25284a',
  },
});
