import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Link } from 'react-router'
import { STARTING_COINS } from '#contract/product.ts'
import type { User } from '#contract/users.ts'
import { deleteStored, readStored } from '#web/lib/browser-storage.ts'
import { formatCoins } from '#web/lib/format.ts'
import { NEW_WORKER_KEY } from '#web/lib/last-session.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { PlainButton } from '#web/ui/button.tsx'

/** Says that a sign-in with a provider has created a Worker account, which nobody chose, until the user dismisses it. */
export function NewWorkerNotice({ user }: { user: User }) {
  const [isNew, setIsNew] = useState(() => readStored(NEW_WORKER_KEY) === user._id)
  useFocusRecovery(!isNew)
  if (!isNew || user.role !== 'Worker') return null
  const coins = formatCoins(STARTING_COINS.Worker)
  const dismiss = () => {
    deleteStored(NEW_WORKER_KEY)
    setIsNew(false)
  }
  return (
    <section
      aria-labelledby="new-worker"
      className="card flex flex-wrap items-center justify-between gap-x-4 gap-y-1 p-4 sm:p-5"
    >
      <div className="min-w-0">
        <h2 id="new-worker" className="text-lg">{t`We created a Worker account for you`}</h2>
        <p className="text-sm text-dim">
          <Trans>
            This email had no account here. You start with {coins}. Want to post tasks instead?{' '}
            <Link to="/#contact" className="link">
              Write to us
            </Link>{' '}
            for a Buyer account.
          </Trans>
        </p>
      </div>
      <PlainButton variant="default" onClick={dismiss}>{t`Dismiss`}</PlainButton>
    </section>
  )
}
