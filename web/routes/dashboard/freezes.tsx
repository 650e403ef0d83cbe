import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { type ListedFreeze, listFreezes } from '#contract/freezes.ts'
import { promptToEndFreeze } from '#web/features/risk/end-freeze.ts'
import { FreezeNotice } from '#web/features/risk/freeze-notice.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatCoins } from '#web/lib/format.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { useChange } from '#web/lib/use-change.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders the live freezes with the responses of their users. An Admin ends them. */
export default function Freezes() {
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(listFreezes, {}))
  const freezes = query.data.pages.flatMap((page) => page.reply)
  return (
    <Screen title={t`Freezes`} subtitle={t`Users and withdrawal requests whose coins cannot move`}>
      {freezes.length === 0 ? (
        <EmptyState title={t`Nothing is frozen.`}>
          {t`You can freeze a request, or the account of its worker, under Withdraw Request.`}
        </EmptyState>
      ) : (
        <>
          <ul aria-label={t`Freezes`} className="grid grid-cols-1 gap-4 @4xl:grid-cols-2">
            {freezes.map((freeze) => (
              <li key={freeze._id}>
                <FreezeCard freeze={freeze} />
              </li>
            ))}
          </ul>
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}

function FreezeCard({ freeze }: { freeze: ListedFreeze }) {
  const { change, pendingId } = useChange([listFreezes])
  const { email } = freeze

  return (
    <article className="card h-full p-5 text-sm">
      <h2 className="text-base">
        <UserLink id={freeze.userId} name={freeze.name} />
      </h2>
      <p className="wrap-anywhere text-dim">
        {freeze.frozenBy === null ? (
          email
        ) : (
          <Trans>
            {email}, frozen by <UserLink id={freeze.frozenById} name={freeze.frozenBy} />
          </Trans>
        )}
      </p>
      {freeze.coins !== null && (
        <p className="mt-1">{t`Withdrawal of ${{ coins: formatCoins(freeze.coins) }}`}</p>
      )}
      <FreezeNotice
        freeze={freeze}
        busy={pendingId !== null}
        end={() => void promptToEndFreeze(freeze._id, (end) => change(freeze._id, end))}
      />
    </article>
  )
}
