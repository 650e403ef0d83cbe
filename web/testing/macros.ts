import { getConfig } from '@lingui/conf'
import { mapMacroOptions, transform } from '@lingui/native-tools'

/** Matches code that imports Lingui's macros. */
export const MACROS = /from '@lingui\/(core|react)\/macro'/

const macro = { ...mapMacroOptions(getConfig()), descriptorFields: 'message' as const }

/** Replaces Lingui's macros by calls of web/lib/i18n.ts. Removes types, too; JSX stays. */
export function transformMacros(code: string, path: string): ReturnType<typeof transform> {
  return transform(code, path, { macro })
}
