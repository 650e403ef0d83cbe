import { t } from '@lingui/core/macro'
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/**
 * The colors, sizes and shadows of the app. Components read them through Mantine, everything else through Tailwind's
 * names for the same variables (web/app.css).
 */
const jade: MantineColorsTuple = [
  '#ecfaf4',
  '#d2f2e4',
  '#a8e6cb',
  '#74d5ae',
  '#3fb98b',
  '#1f9c6f',
  '#117f5a',
  '#0c6a4b',
  '#0a543c',
  '#12352a',
]
const coin: MantineColorsTuple = [
  '#fff9ea',
  '#fff4d6',
  '#ffe9ad',
  '#ffdd8a',
  '#ffca4f',
  '#f5a300',
  '#c98400',
  '#a06700',
  '#784900',
  '#33270d',
]
const gray: MantineColorsTuple = [
  '#f6f8f7',
  '#eef2f0',
  '#dfe5e2',
  '#cbd4d0',
  '#a9b5b0',
  '#84928c',
  '#53615b',
  '#43504a',
  '#2f3a35',
  '#1b2421',
]
const dark: MantineColorsTuple = [
  '#e8efec',
  '#c8d3ce',
  '#a3b1ab',
  '#84928c',
  '#6f7f78',
  '#2a3531',
  '#1d2723',
  '#151d1a',
  '#0e1412',
  '#0a0f0d',
]
const red: MantineColorsTuple = [
  '#fdf1ef',
  '#fadcd8',
  '#f8c0b8',
  '#fb9a8d',
  '#ec6f5d',
  '#d84a37',
  '#c2321f',
  '#c2321f',
  '#8f2315',
  '#3a1712',
]

const fontFamily =
  "'Figtree Variable', 'Noto Sans Bengali Variable', 'Figtree Fallback', system-ui, sans-serif"

/** The sticky header of a dialog has the dialog's background, in dark mode too. */
const ON_SURFACE = { header: { background: 'var(--mantine-color-surface)' } }

export const theme = createTheme({
  colors: { jade, coin, gray, dark, red },
  primaryColor: 'jade',
  primaryShade: { light: 7, dark: 6 },
  black: gray[9],
  fontFamily,
  headings: { fontFamily: 'var(--mantine-font-family)', fontWeight: '750', textWrap: 'balance' },
  fontSizes: { xs: '0.8125rem', sm: '0.9375rem', md: '1rem', lg: '1.125rem', xl: '1.25rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '1.5rem' },
  radius: { xs: '4px', sm: '8px', md: '10px', lg: '16px', xl: '20px' },
  defaultRadius: 'md',
  breakpoints: { xs: '30em', sm: '40em', md: '48em', lg: '64em', xl: '80em' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'md' }, styles: { label: { fontWeight: 600 } } },
    // Icons do not grow with the text, so their buttons do not either.
    ActionIcon: { defaultProps: { size: 'calc(42px)', variant: 'default' } },
    // A box of 20 px with the corners of a control would look like a radio button.
    Checkbox: { defaultProps: { radius: 'xs' } },
    // With hints of several lines above them, the fields of a row would not be in line.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      styles: { label: { fontWeight: 600, marginBottom: 4 }, error: { marginTop: 6 } },
    },
    ...withDefaults(
      { size: 'md' },
      'TextInput',
      'PasswordInput',
      'NumberInput',
      'Textarea',
      'Select',
      'NativeSelect',
      'FileInput',
      'SegmentedControl',
    ),
    Paper: { styles: { root: { backgroundColor: 'var(--mantine-color-surface)' } } },
    // A <header> inside a dialog would be a second banner landmark.
    ModalHeader: { defaultProps: { role: 'presentation' }, styles: { header: { background: 'inherit' } } },
    Modal: {
      defaultProps: {
        radius: 'lg',
        centered: true,
        padding: 'lg',
        closeButtonProps: { 'aria-label': t`Close` },
        transitionProps: { transition: 'pop', duration: 200 },
        overlayProps: { backgroundOpacity: 0.5 },
      },
      styles: ON_SURFACE,
    },
    Popover: { defaultProps: { transitionProps: { transition: 'pop', duration: 200 } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t`Close this message` } } },
    Skeleton: { defaultProps: { radius: 'md' } },
  },
})

function withDefaults(defaultProps: Record<string, unknown>, ...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, { defaultProps }]))
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--mantine-line-height': '1.6' },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': gray[9],
    '--mantine-color-dimmed': gray[6],
    '--mantine-color-placeholder': '#6b7973',
    '--mantine-color-error': red[6],
    '--mantine-color-anchor': jade[7],
    '--mantine-color-default-border': gray[5],
    '--mantine-color-default-hover': gray[0],
    '--mantine-color-canvas': gray[0],
    '--mantine-color-surface': '#ffffff',
    '--mantine-color-line': gray[2],
    '--mantine-color-soft': jade[0],
    '--mantine-color-on-soft': jade[7],
    '--mantine-color-jade-light': jade[0],
    '--mantine-color-jade-light-hover': jade[1],
    '--mantine-color-jade-light-color': jade[7],
    '--mantine-color-gold': coin[1],
    '--mantine-color-on-gold': coin[8],
    '--mantine-color-danger-soft': red[0],
    '--mantine-shadow-rest': '0 1px 2px rgb(16 40 30 / 0.06)',
    '--mantine-shadow-lift': '0 2px 6px rgb(16 40 30 / 0.06), 0 12px 28px rgb(16 40 30 / 0.1)',
    '--mantine-shadow-hero': '0 4px 12px rgb(16 40 30 / 0.05), 0 28px 64px rgb(16 40 30 / 0.14)',
  },
  dark: {
    '--mantine-color-body': dark[8],
    '--mantine-color-text': dark[0],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': dark[3],
    '--mantine-color-error': red[3],
    '--mantine-color-anchor': jade[4],
    '--mantine-color-default': dark[7],
    '--mantine-color-default-border': dark[4],
    '--mantine-color-default-hover': dark[6],
    '--mantine-color-canvas': dark[9],
    '--mantine-color-surface': dark[7],
    '--mantine-color-line': dark[5],
    '--mantine-color-soft': jade[9],
    '--mantine-color-on-soft': jade[2],
    '--mantine-color-jade-light': jade[9],
    '--mantine-color-jade-light-hover': '#174435',
    '--mantine-color-jade-light-color': jade[2],
    '--mantine-color-gold': coin[9],
    '--mantine-color-on-gold': coin[3],
    '--mantine-color-danger-soft': red[9],
    '--mantine-shadow-rest': 'none',
    '--mantine-shadow-lift': '0 12px 28px rgb(0 0 0 / 0.4)',
    '--mantine-shadow-hero': '0 28px 64px rgb(0 0 0 / 0.4)',
  },
})
