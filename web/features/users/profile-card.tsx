import { t } from '@lingui/core/macro'
import { Suspense, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { User } from '#contract/users.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { useWithdrawalRate } from '#web/features/site/site.ts'
import { formatCoins, formatCoinValue } from '#web/lib/format.ts'
import { formatDay, localDay } from '#web/lib/format-time.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { PlainButton } from '#web/ui/button.tsx'
import { IconPencil } from '#web/ui/icons.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

const EditProfile = lazyComponent(() => import('#web/features/users/edit-profile.tsx'))

/** Renders who the user is and their balance, with a form to change name and picture. */
export function ProfileCard({ user }: { user: User }) {
  const [editing, setEditing] = useState(false)
  const wasEdited = useRef(false)
  const close = () => {
    wasEdited.current = true
    setEditing(false)
  }
  const rate = useWithdrawalRate()
  return (
    <section aria-label={t`Account`} className="card flex flex-wrap items-center gap-x-5 gap-y-4 p-4 sm:p-5">
      <Avatar name={user.name} image={user.image} size={80} />
      <div className="min-w-0 flex-1 basis-52">
        <h2 className="text-xl tracking-normal break-words">{user.name}</h2>
        <p className="truncate text-dim">{user.email}</p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-dim">
          <StatusBadge tone="success">{ROLE_NAMES[user.role]}</StatusBadge>
          {t`Member since ${{ day: formatDay(localDay(user.createdAt)) }}`}
        </p>
        {!editing && (
          <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
            <PlainButton
              size="xs"
              variant="default"
              icon={<IconPencil size={16} aria-hidden />}
              ref={(element) => {
                if (element !== null && wasEdited.current) element.focus()
                wasEdited.current = false
              }}
              onClick={() => setEditing(true)}
            >
              {t`Edit profile`}
            </PlainButton>
            <Link to={`/users/${user._id}`} className="link text-sm">{t`View public profile`}</Link>
          </p>
        )}
      </div>
      {(user.role !== 'Admin' || user.coin > 0) && (
        <div className="sm:text-right">
          <CoinAmount value={user.coin} className="text-title" />
          <p className="text-sm text-dim">
            {user.role === 'Worker' ? t`worth ${{ value: formatCoinValue(user.coin, rate) }}` : t`available`}
          </p>
          {user.spendable !== undefined && (
            <p className="max-w-60 text-sm">
              {t`${{ spendable: formatCoins(user.spendable) }} can be spent now. Your starting coins can be spent after a purchase.`}
            </p>
          )}
        </div>
      )}
      {editing && (
        <Suspense>
          <EditProfile user={user} onClose={close} />
        </Suspense>
      )}
    </section>
  )
}
