import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The styles of Mantine's components that only the dashboard uses, in Mantine's order. */
const STYLES = join(process.cwd(), 'web/routes/dashboard/mantine.css')
/** The modules with the class names of components in that file. `CloseButton` is part of every input, which does not show it. */
const CLASS_NAMES =
  /@mantine\/core\/esm\/components\/(Checkbox|Combobox|FloatingIndicator|Modal|ModalBase|NumberInput|Paper|Pill|PillsInput|Popover|Progress|ScrollArea|SegmentedControl|Switch)\/\1\.module\.mjs/

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
