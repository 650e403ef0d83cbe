import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { statement } from '#contract/ledger.ts'
import { DownloadStatement } from '#web/features/statement/download-statement.tsx'
import { StatementList } from '#web/features/statement/statement-list.tsx'
import { coins, worth } from '#web/lib/format.ts'
import { pagesOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Every coin that came or went, with the balance after it. */
export default function Statement() {
  const { email, coin, role } = useUserData()
  const query = useSuspenseInfiniteQuery(pagesOf(statement, { params: { email } }, 50))
  const lines = query.data.pages.flatMap((page) => page.reply)
  return (
    <Screen
      title="Coin Statement"
      subtitle={`You have ${coins(coin)}${role === 'Worker' ? `, worth ${worth(coin)}` : ''}`}
      action={lines.length > 0 && <DownloadStatement email={email} />}
    >
      {lines.length === 0 ? (
        <Empty title="No movements yet">Every coin that comes or goes is listed here.</Empty>
      ) : (
        <>
          <StatementList lines={lines} />
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}
