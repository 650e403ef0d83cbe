import { build } from 'rolldown'
import { OFFERED_LOCALES } from '#contract/locales.ts'
import { CENTS_PER_COIN, PACKAGES } from '#contract/product.ts'

/** What a page shows of the configuration until its scripts run (web/features/site/site.ts). */
const SITE = { centsPerCoin: CENTS_PER_COIN, packages: PACKAGES, addedTax: null }

/**
 * Builds the inline script that starts the scripts of a page; `isComplete` when the page can do without them. A screen has its
 * start, a call of a function, instead of the first script.
 */
export async function buildStartScript(
  scripts: readonly string[],
  isComplete: boolean,
  startOfScreen?: string,
): Promise<string> {
  const { output } = await build({
    input: 'web/prerendered/start-scripts.ts',
    transform: {
      define: {
        __SCRIPTS__: JSON.stringify(scripts),
        __IS_COMPLETE__: JSON.stringify(isComplete),
        __IS_SCREEN__: JSON.stringify(startOfScreen !== undefined),
        __LOCALES__: JSON.stringify(OFFERED_LOCALES),
        __SITE__: JSON.stringify(SITE),
      },
    },
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  })
  return output[0].code.trim().replace('__START_SCREEN__()', () => startOfScreen ?? '')
}

/** Builds the code with which the app finds the styles that are in the page. */
export async function buildActivateStyles(): Promise<string> {
  const { output } = await build({
    input: 'web/prerendered/styles-in-page.ts',
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  })
  return output[0].code.trim()
}
