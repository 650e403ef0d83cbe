import { build } from 'rolldown'
import { issueToken } from '#contract/auth.ts'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import { type Locale, localePath } from '#contract/locales.ts'
import { BELL_NOTIFICATIONS, notifications } from '#contract/notifications.ts'
import { site } from '#contract/site.ts'
import { buyerStats, workerStats } from '#contract/stats.ts'
import { myTaskStates } from '#contract/submissions.ts'
import { myIneligibleTasks, tasksForFavourites } from '#contract/task-access.ts'
import { FIRST_TASKS, taskListWorker } from '#contract/tasks.ts'
import { userDetails } from '#contract/users.ts'
import { waiting } from '#contract/waiting.ts'

/** What the home of a worker requests of the API on their first visit. */
export const HOME_ENDPOINTS: readonly Endpoint[] = [
  issueToken,
  site,
  userDetails,
  waiting,
  notifications,
  workerStats,
]

/** Returns the URL of an endpoint with `@` for the email. */
function ofUser(endpoint: Endpoint): string {
  return pathOf(endpoint, { email: '@' }).replace('%40', '@')
}

/**
 * Builds the inline script of a language's fallback page, which requests what a screen needs besides the start files of the
 * page (web/prerendered/early-requests.ts). A screen that is prerendered has its `scripts`.
 */
export async function buildEarlyScript(locale: Locale, scripts: readonly string[] = []): Promise<string> {
  const { output } = await build({
    input: 'web/prerendered/early-requests.ts',
    transform: {
      define: {
        __TOKEN_URL__: JSON.stringify(pathOf(issueToken)),
        __SITE_URL__: JSON.stringify(pathOf(site)),
        __WAITING_URL__: JSON.stringify(pathOf(waiting)),
        __USER_URL__: JSON.stringify(ofUser(userDetails)),
        __NOTIFICATIONS_URL__: JSON.stringify(`${ofUser(notifications)}?limit=${BELL_NOTIFICATIONS}`),
        __STATS_URLS__: JSON.stringify({ Worker: pathOf(workerStats), Buyer: pathOf(buyerStats) }),
        __TASKS_URL__: JSON.stringify(`${pathOf(taskListWorker)}?sort=newest&limit=${FIRST_TASKS}`),
        __FAVOURITES_URL__: JSON.stringify(pathOf(tasksForFavourites)),
        __TASK_STATES_URLS__: JSON.stringify(
          [myTaskStates, myIneligibleTasks].map((endpoint) => pathOf(endpoint)),
        ),
        __SCRIPTS__: JSON.stringify(scripts),
        __BASE__: JSON.stringify(localePath(locale, '/').replace(/\/$/, '')),
      },
    },
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  })
  return output[0].code.trim()
}
