import { build } from 'rolldown'
import { issueToken } from '#contract/auth.ts'
import { pathOf } from '#contract/endpoint.ts'
import { type Locale, localePath } from '#contract/locales.ts'
import { userDetails } from '#contract/users.ts'
import { type Routes, screensOf } from './screens.ts'

/**
 * Builds the inline script of a language's fallback page, which requests what a screen needs besides the `startFiles` of
 * the page (web/prerendered/early-requests.ts).
 */
export async function buildEarlyScript(
  locale: Locale,
  routes: Routes,
  startFiles: readonly string[],
): Promise<string> {
  const screens = screensOf(locale, routes, new Set(startFiles))
  const files = [...new Set(screens.flatMap((screen) => screen.files))]
  const { output } = await build({
    input: 'web/prerendered/early-requests.ts',
    transform: {
      define: {
        __SCREENS__: JSON.stringify(
          screens.map((screen) => [screen.paths, screen.files.map((file) => files.indexOf(file))]),
        ),
        __FILES__: JSON.stringify(files),
        __TOKEN_URL__: JSON.stringify(pathOf(issueToken)),
        __USER_URL__: JSON.stringify(pathOf(userDetails, { email: '' })),
        __DASHBOARD__: JSON.stringify(localePath(locale, '/dashboard')),
      },
    },
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  })
  return output[0].code.trim()
}
