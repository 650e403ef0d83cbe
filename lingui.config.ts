import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { createSwcExtractor } from '@lingui/native-tools'
import { DEFAULT_LOCALE, LOCALES } from './contract/locales.ts'

const locales = '<rootDir>/web/locales/{locale}'
const tests = ['**/*.test.ts', '**/*.test.tsx']

/** Messages are extracted into one catalogue per folder, so that people translate side by side (docs/translating.md). */
export default defineConfig({
  sourceLocale: DEFAULT_LOCALE,
  locales: LOCALES.filter((locale) => locale !== DEFAULT_LOCALE),
  catalogs: [
    { path: `${locales}/{name}`, include: ['<rootDir>/web/features/{name}'], exclude: tests },
    { path: `${locales}/content`, include: ['<rootDir>/web/content'], exclude: tests },
    { path: `${locales}/dashboard`, include: ['<rootDir>/web/routes/dashboard'], exclude: tests },
    { path: `${locales}/lib`, include: ['<rootDir>/web/lib'], exclude: tests },
    {
      path: `${locales}/routes`,
      include: ['<rootDir>/web/root.tsx', '<rootDir>/web/routes'],
      exclude: [...tests, '<rootDir>/web/routes/dashboard/**'],
    },
    { path: `${locales}/ui`, include: ['<rootDir>/web/ui', '<rootDir>/web/theme.ts'], exclude: tests },
  ],
  extractors: [createSwcExtractor()],
  format: formatter({ lineNumbers: false }),
  runtimeConfigModule: { i18n: ['#web/lib/i18n.ts', 'i18n'], Trans: ['#web/lib/i18n.ts', 'Trans'] },
})
