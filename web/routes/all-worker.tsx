import { publicLists } from '#web/content/en.ts'
import { UserGrid, usersQuery } from '#web/features/users/user-grid.tsx'
import { pageMeta } from '#web/lib/meta.ts'
import { queryClient } from '#web/lib/queries.ts'
import type { Route } from './+types/all-worker'

export const meta = () =>
  pageMeta({ title: publicLists.workers.title, description: publicLists.workers.description })

/** The page is built without people in it. Having this, the browser keeps the built page instead of a fallback. */
export function loader() {
  return null
}

/** Users are loaded before the screen shows (docs/specification/screens.md); the screen shows a failure. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await queryClient.prefetchInfiniteQuery(usersQuery(new URL(request.url).searchParams))
  return null
}

/** A filter changes the list in its place, not the screen. */
export const shouldRevalidate = () => false

export default function AllWorker() {
  return (
    <div className="page py-10 lg:py-14">
      <h1 className="text-section">{publicLists.workers.title}</h1>
      <p className="mt-2 mb-6 text-dim">{publicLists.workers.lead}</p>
      <UserGrid />
    </div>
  )
}
