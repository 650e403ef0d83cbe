import type { Config } from '@react-router/dev/config'
import { DEFAULT_LOCALE } from './contract/locales.ts'

const locale = process.env.LOCALE ?? DEFAULT_LOCALE

/**
 * The app is built to plain files, once per language: public pages as HTML, everything else from one fallback page
 * (scripts/build/languages.ts).
 */
export default {
  appDirectory: 'web',
  basename: locale === DEFAULT_LOCALE ? '/' : `/${locale}`,
  buildDirectory: process.env.BUILD_DIRECTORY ?? 'build',
  ssr: false,
  prerender: [
    '/',
    '/login',
    '/sign-up',
    '/all-worker',
    '/all-task',
    '/terms',
    '/privacy',
    '/fees',
    '/blog/write-a-task',
    '/blog/first-withdrawal',
    '/blog/escrow',
    '/dashboard',
    '/dashboard/available-task',
  ],
  splitRouteModules: true,
} satisfies Config
