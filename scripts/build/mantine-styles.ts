import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The styles of Mantine's components that only the dashboard uses, in Mantine's order. */
const STYLES = join(process.cwd(), 'web/routes/dashboard/mantine.css')
/** The modules with the class names of components in that file. `CloseButton` is part of every input, which does not show it. */
const CLASS_NAMES =
  /@mantine\/core\/esm\/components\/(Checkbox|Combobox|FloatingIndicator|Modal|ModalBase|NumberInput|Paper|Pill|PillsInput|Popover|Progress|Radio|ScrollArea|SegmentedControl|Switch)\/\1\.module\.mjs/

const VARIABLES = /@mantine\/core\/esm\/core\/MantineProvider\/MantineCssVariables\/MantineCssVariables\.mjs/

/**
 * Leaves out of the client what computes Mantine's variables from the theme. Every page has them, because its layout is
 * prerendered.
 */
export function mantineVariables(): Plugin {
  return {
    name: 'mantine-variables',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: VARIABLES },
      handler: () => ({
        code: 'export const MantineCssVariables = () => null',
        map: null,
      }),
    },
  }
}

/**
 * Moves Mantine's variables from the body of a page to the end of its head. Style sheets that are loaded later are then the last ones:
 * Chromium loads all fonts again, and lays the page out twice, when a sheet with layers is inserted before another one.
 */
export function withVariablesInHead(html: string): string {
  const [style] = /<style data-mantine-styles="true">[^<]*<\/style>/.exec(html) ?? []
  if (style === undefined)
    throw new Error('A page has no variables of Mantine: has Mantine changed its styles?')
  return html.replace(style, '').replace('</head>', () => `${style}</head>`)
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
