import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { DEFAULT_LOCALE } from './contract/locales.ts'
import { translations } from './scripts/build/translations.ts'

/** The language of this build (scripts/build/languages.ts). */
const locale = process.env.LOCALE ?? DEFAULT_LOCALE

/*
 * What every page needs comes in two files: they compress better than forty, and the list of what each screen needs
 * stays short. `base` changes only with the lockfile, `frame` with our own code.
 */
const base = /node_modules\/(react|react-dom|scheduler|react-router|@lingui|@tanstack|zod)\//
const frame = [
  /node_modules\/@mantine\/core\/esm\/core\/MantineProvider\//,
  /node_modules\/@mantine\/(hooks\/esm\/(use-color-scheme|use-media-query|utils)|store)\//,
  /node_modules\/@tabler\/icons-react\/dist\/esm\/(createReactComponent|defaultAttributes)/,
  /\/contract\/(auth|digits|endpoint|locale-cookie|locales|product|shapes|site|users)\.ts/,
  /\/web\/content\//,
  /\/web\/features\/(coins\/coin-amount|site\/(brand|language-links|language-offer|site|use-account-language))\.tsx?/,
  /\/web\/lib\/(api|browser-locale|carried-values|format|i18n|leave-for-language|locale|meta|queries|session|session-store|token|typed-fields)\.tsx?/,
  /\/web\/ui\/(button|coin-mark|color-scheme-toggle|dialogs|error-state|avatar|skeleton|skip-link|main-content|toasts|full-page-loader|lazy-host|native-dialogs)\.tsx?/,
  /\/vite\/preload-helper/,
  /\/icons\/(IconX|IconCheck|IconShieldCheck|IconMenu2|IconMoon|IconSun)\.mjs/,
  /\/web\/lib\/prefetch\.ts/,
  /\/web\/features\/auth\/use-sign-out\.ts/,
]
/* What most forms and most screens of the dashboard need, which would be thirty files. */
const form =
  /\/web\/(lib\/form\.ts|ui\/form-error\.tsx)|@mantine\/core\/esm\/components\/(Button|TextInput|Loader|InputBase|Input)\//
const icons = /@tabler\/icons-react\/dist\/esm\/icons\//
const contract =
  /\/contract\/(tasks|submissions|submission-states|task-categories|reservations|waiting|stats|notifications|ledger|destinations)\.ts/

/* The framework gives each public page ten seconds to be rendered in the build, which a busy machine does not keep. */
const timeout = AbortSignal.timeout.bind(AbortSignal)
AbortSignal.timeout = (ms) => timeout(Math.max(ms, 120_000))

/** `npx react-router dev` serves the screens on 5173 and hands the API on to a running program. */
export default defineConfig({
  plugins: [tailwindcss(), translations(locale), reactRouter()],
  publicDir: locale === DEFAULT_LOCALE ? 'web/public' : `web/locales/${locale}/public`,
  define: { __LOCALE__: JSON.stringify(locale) },
  server: { proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:3000' } },
  build: { assetsInlineLimit: 0, target: 'es2022' },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'base', test: base },
                { name: 'frame', test: (id) => frame.some((part) => part.test(id)) },
                { name: 'form', test: form },
                { name: 'icons', test: icons, minShareCount: 3 },
                { name: 'contract', test: contract, minShareCount: 3 },
              ],
            },
          },
        },
      },
    },
  },
})
