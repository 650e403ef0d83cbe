import type { Config } from '@react-router/dev/config'

/** The app is built to plain files: public pages as HTML, everything else from one fallback page. */
export default {
  appDirectory: 'web',
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
  ],
  splitRouteModules: true,
} satisfies Config
