import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The styles of Mantine's components that only the dashboard uses, in Mantine's order. */
const STYLES = join(process.cwd(), 'web/routes/dashboard/mantine.css')
/** The modules with the class names of components in that file. `CloseButton` is part of every input, which does not show it. */
const CLASS_NAMES =
  /@mantine\/core\/esm\/components\/(Checkbox|Combobox|FloatingIndicator|Modal|ModalBase|NumberInput|Paper|Pill|PillsInput|Popover|Progress|ScrollArea|SegmentedControl|Switch)\/\1\.module\.mjs/

const VARIABLES = /@mantine\/core\/esm\/core\/MantineProvider\/MantineCssVariables\/MantineCssVariables\.mjs/

/**
 * Leaves out of the client what computes Mantine's variables from the theme. Every page has them, because its layout is
 * prerendered, and the client keeps what it finds.
 */
export function mantineVariables(): Plugin {
  return {
    name: 'mantine-variables',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: VARIABLES },
      handler: () => ({
        code: `import { jsx } from 'react/jsx-runtime'
const __html = document.querySelector('style[data-mantine-styles]')?.innerHTML ?? ''
export function MantineCssVariables() {
  return jsx('style', { 'data-mantine-styles': true, dangerouslySetInnerHTML: { __html } })
}`,
        map: null,
      }),
    },
  }
}

/** Loads the styles of the dashboard's components with the first of these components. */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    transform: {
      filter: { id: CLASS_NAMES },
      handler: (source) => ({
        code: `import ${JSON.stringify(STYLES)}\n${source}`,
        map: null,
        moduleSideEffects: true,
      }),
    },
  }
}
