import { build } from 'rolldown'
import { issueToken } from '#contract/auth.ts'
import { pathOf } from '#contract/endpoint.ts'
import { type Locale, localePath } from '#contract/locales.ts'
import { userDetails } from '#contract/users.ts'

/**
 * Builds the inline script of a language's fallback page, which requests what a screen needs besides the start files of the
 * page (web/prerendered/early-requests.ts).
 */
export async function buildEarlyScript(locale: Locale): Promise<string> {
  const { output } = await build({
    input: 'web/prerendered/early-requests.ts',
    transform: {
      define: {
        __TOKEN_URL__: JSON.stringify(pathOf(issueToken)),
        __USER_URL__: JSON.stringify(pathOf(userDetails, { email: '' })),
        __BASE__: JSON.stringify(localePath(locale, '/').replace(/\/$/, '')),
      },
    },
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  })
  return output[0].code.trim()
}
