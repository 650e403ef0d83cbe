import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { DEFAULT_LOCALE } from './contract/locales.ts'
import { clientContract } from './scripts/build/contract.ts'
import { mantineStyles, mantineVariables } from './scripts/build/mantine-styles.ts'
import { translations } from './scripts/build/translations.ts'

/** The language of this build (scripts/build/languages.ts). */
const locale = process.env.LOCALE ?? DEFAULT_LOCALE

/*
 * What every page needs comes in two files: they compress better than forty, and the list of what each screen needs
 * stays short. `base` changes only with the lockfile, `frame` with our own code.
 */
const base = /node_modules\/(react|react-dom|scheduler|react-router|@lingui|@tanstack)\//
const frame = [
  /\/web\/root\.tsx/,
  /node_modules\/@mantine\/core\/esm\/core\/MantineProvider\//,
  /node_modules\/@mantine\/(hooks\/esm\/(use-color-scheme|use-media-query|utils)|store)\//,
  /node_modules\/@tabler\/icons-react\/dist\/esm\/(createReactComponent|defaultAttributes)/,
  /\/contract\/(auth|contact|digits|endpoint|locale-cookie|locales|product|shapes|site|users)\.ts$/,
  /\/web\/content\/site-info\./,
  /\/web\/features\/(coins\/coin-amount|site\/(brand|language-links|language-offer|site|use-account-language))\.tsx?/,
  /\/web\/lib\/(api|app-router|browser-locale|form|form-transfer|form-state|format|i18n|language-switch|locale|queries|role-names|route-modules|search-params|session|session-store|token|typed-fields)\.tsx?/,
  /\/web\/ui\/(button|coin-mark|color-scheme-toggle|dialogs|error-state|avatar|skeleton|skip-link|main-content|toasts|full-page-loader|lazy-host|native-dialogs)\.tsx?/,
  /\/vite\/preload-helper/,
  /\/icons\/Icon(AlertTriangle|Bell|BuildingBank|Calendar|ChevronDown|ChevronRight|CircleCheck|ClipboardList|ClipboardText|Clock|Coins|Columns3|CreditCard|FileText|Gavel|Home|Language|ListCheck|Logout|Mail|Menu2|Moon|Pencil|Plus|Receipt|Refresh|Scale|Search|Send|Server|Settings|ShieldCheck|Snowflake|SquarePlus|Sun|User|Users|Wallet|X)\.mjs/,
  /\/web\/lib\/prefetch\.ts/,
  /\/web\/features\/auth\/use-sign-out\.ts/,
]
/* What validates: only forms load it. */
const schemas =
  /node_modules\/zod\/|@mantine\/form\/|\/web\/lib\/validation\.ts|\/contract\/validation-texts|\/contract\/(shapes|auth|users)\.ts\?schemas$/
/* The controls of most forms, on public pages too. */
const form =
  /\/web\/(lib\/focus-on-mount\.ts|ui\/form-error\.tsx)|\/contract\/form-errors|@mantine\/(core\/esm\/components\/(ActionIcon|Button|TextInput|Loader|InputBase|Input|VisuallyHidden)|hooks\/esm\/(use-uncontrolled|use-merged-ref))\//
/* The icons of other screens than those of `frame`. */
const icons = /@tabler\/icons-react\/dist\/esm\/icons\//
/* What public pages share. */
const publicPages = /\/web\/(content\/|lib\/meta\.ts|routes\/public-layout\.tsx)/
/* What the public lists share with the screens of the dashboard. */
const lists = [
  /\/contract\/(tasks|task-filters|submissions|submission-states|rejections|task-category-ids|task-categories|reservations|waiting|stats|notifications|push-subscriptions)\.ts$/,
  /\/web\/lib\/(browser-storage|dashboard-format|format-time|preference)\.ts/,
  /\/web\/ui\/(chunked-grid|empty-state|filter-bar|load-more|native-select|query-state|search-input|status-badge|user-text)\.(tsx|css)/,
  /\/web\/features\/(records\/(buyer-record|record-line|work-estimate)|tasks\/(category-names|saved-filters|slots-left|task-browser|task-card|task-filter|task-picture\.|task-row|use-last-visit))/,
]
/*
 * What the layout of the dashboard and its most visited screens need: one file instead of thirty. Who is signed in on a public page
 * has it on the device in most cases, and it has the live updates.
 */
const dashboard = [
  /\/web\/routes\/dashboard\/layout\.tsx/,
  /\/node_modules\/(eventsource-parser|idb)\//,
  /\/web\/lib\/(bangla-digits|drafts|indexed-db|mailto|use-is-shown)\.ts/,
  /\/web\/ui\/(error-boundary|lazy-component|modal-panel|screen)\.(tsx?|css)/,
  /\/web\/features\/(live\/(event-client|invalidate-queries|sse)|audience\/(audience-values|qualification-test)|notifications\/notification-bell|offline|palette\/palette-button|push\/(device\.ts|use-device)|reservations|review\/decision-store|shortcuts\/(use-|dashboard-)|site\/(dashboard-header|forbidden|sidebar)|submissions\/(expandable-text|send-work|submission-state|task-text|time-left|unsent)|tasks\/(copy-path|task-loader)|waiting\/(kinds|use-waiting))/,
]
/* What most other screens of the dashboard share. */
const screens =
  /\/contract\/(ledger|destinations|withdrawals|freezes|risk|payout-states|seller)\.ts$|\/web\/(ui\/(download-button|filter-links|form-actions|responsive-list|stat-list|unsaved-changes|use-is-wide|whole-number-props)\.tsx?|features\/statement\/statement-list)/
/* Controls that several screens of the dashboard have. */
const controls =
  /@mantine\/(core\/esm\/(components\/(Combobox|CopyButton|FileButton|FileInput|NativeSelect|Switch)|utils\/(InlineInput|InputsGroupFieldset))|hooks\/esm\/use-clipboard)\/|\/web\/ui\/copy-value\.tsx/
const overlays =
  /@mantine\/core\/esm\/components\/(CloseButton|Modal|ModalBase|Overlay|Paper|Portal|Popover|ScrollArea|Transition|FocusTrap|Floating)\/|\/(@floating-ui|react-remove-scroll|tslib|aria-hidden)\//
const settings =
  /\/(contract\/(operator-settings|package-margin)\.ts$|web\/features\/operator-settings\/(use-)?package-margins)/

/* The framework gives each public page ten seconds to be rendered in the build, which a busy machine does not keep. */
const timeout = AbortSignal.timeout.bind(AbortSignal)
AbortSignal.timeout = (ms) => timeout(Math.max(ms, 120_000))

/* Small style sheets of the first screens, in one file. */
const styles =
  /\/web\/(ui\/(filter-bar|filter-links|modal-panel|plain-textarea)|features\/(stats\/bar-chart|tasks\/task-row)|routes\/dashboard\/profile)\.css/
/* A user's home with its charts. */
const home =
  /\/web\/(routes\/dashboard\/profile\.tsx|features\/(stats\/(user-charts|stats-chart|week-chart|chart-table|bar-chart|stat-tile)|waiting\/(names|waiting-list))\.tsx?)/

/** Lets an entry of the client be in the file of a group, which then exports more than the entry does. */
function entrySignatures(): Plugin {
  return {
    name: 'entry-signatures',
    applyToEnvironment: ({ name }) => name === 'client',
    options: (options) => ({ ...options, preserveEntrySignatures: 'allow-extension' }),
  }
}

/**
 * Lets the bundler leave out components of libraries that nothing uses: creating one has no effect, and the names that libraries
 * give them for developers are removed.
 */
function withoutUnusedComponents(): Plugin {
  return {
    name: 'without-unused-components',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /node_modules\/(@mantine|react-router)\// },
      handler: (code) => ({
        code: code
          .replace(/^[\w.]+\.displayName = "[^"]*";$/gm, '')
          .replace(/= ((?:React\$1\.)?(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1'),
        map: null,
      }),
    },
  }
}

/** `npx react-router dev` serves the screens on 5173 and passes the API on to a running server. */
export default defineConfig({
  plugins: [
    entrySignatures(),
    tailwindcss(),
    clientContract(),
    mantineStyles(),
    mantineVariables(),
    withoutUnusedComponents(),
    translations(locale),
    reactRouter(),
  ],
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
                { name: 'styles', test: styles },
                { name: 'base', test: base },
                { name: 'frame', test: (id) => frame.some((part) => part.test(id)) },
                { name: 'icons', test: icons },
                { name: 'form', test: form },
                { name: 'lists', test: (id) => lists.some((part) => part.test(id)) },
                { name: 'dashboard', test: (id) => dashboard.some((part) => part.test(id)) },
                { name: 'controls', test: controls },
                { name: 'textarea', test: /@mantine\/core\/esm\/components\/Textarea\// },
                { name: 'public', test: publicPages },
                { name: 'screens', test: screens },
                { name: 'home', test: home },
                { name: 'mantine', test: /\/web\/routes\/dashboard\/mantine\.css/ },
                { name: 'overlays', test: overlays, minShareCount: 3 },
                { name: 'schemas', test: schemas },
                { name: 'settings', test: settings },
              ],
            },
          },
        },
      },
    },
  },
})
