import { publicLists } from '#web/content/en.ts'
import { UserGrid, usersQuery } from '#web/features/users/user-grid.tsx'
import { pageMeta } from '#web/lib/meta.ts'
import { queryClient } from '#web/lib/queries.ts'
import type { Route } from './+types/all-worker'

export const meta = () =>
  pageMeta({ title: publicLists.workers.title, description: publicLists.workers.description })

/** The page is prerendered without users. With a loader, the browser keeps the prerendered HTML instead of a fallback. */
export function loader() {
  return null
}

/** Loads the users before the screen is shown (docs/specification/screens.md). The screen renders an error. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await queryClient.prefetchInfiniteQuery(usersQuery(new URL(request.url).searchParams))
  return null
}

/** A changed filter refetches the list without running the loader. */
export const shouldRevalidate = () => false

/** Renders the public list of registered users. */
export default function AllWorker() {
  return (
    <div className="page py-10 lg:py-14">
      <h1 className="text-section">{publicLists.workers.title}</h1>
      <p className="mt-2 mb-6 text-dim">{publicLists.workers.lead}</p>
      <UserGrid />
    </div>
  )
}
