import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listReviewers, type Reviewer } from '#contract/manage-users.ts'
import { allUsers, type PublicUser } from '#contract/users.ts'
import { errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useFocusRecovery } from '#web/lib/recover-focus.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { SearchInput } from '#web/ui/search-input.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { UserName } from './appeal-statistics.tsx'
import { useSetReviewer } from './use-set-reviewer.ts'

const MATCHES_MAX = 5

/** Renders the users who may review appeals, for an Admin to add and remove them. */
export function Reviewers() {
  const { data: reviewers } = useSuspenseQuery(queryOf(listReviewers, {}))
  const { add, remove, pendingUserId } = useSetReviewer()
  const [q, setQuery] = useState('')
  // The button that adds or removes a user is removed.
  const section = useFocusRecovery<HTMLElement>(reviewers.filter(({ reviewer }) => reviewer).length)
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="reviewers" className="outline-none">
      <h2 id="reviewers" className="text-lg">{t`Reviewers`}</h2>
      <p className="mb-3 text-sm text-dim">{t`Admins can always review.`}</p>
      <ul aria-label={t`Reviewers`} className="card divide-y divide-line">
        {reviewers.map((user) => (
          <li key={user._id} className="flex flex-wrap items-center justify-between gap-3 p-4">
            <UserName {...user} />
            <div className="flex flex-wrap items-center gap-3">
              {user.role === 'Admin' && <StatusBadge tone="success">{ROLE_NAMES.Admin}</StatusBadge>}
              {user.reviewer && (
                <Button
                  variant="default"
                  aria-label={t`Remove ${{ name: user.name }}`}
                  loading={pendingUserId === user._id}
                  onClick={() => void remove(user)}
                >
                  {t`Remove`}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      <h3 className="mt-6 mb-3 text-base">{t`Add a reviewer`}</h3>
      <div className="max-w-md">
        <SearchInput label={t`Search by name or email`} value={q} onChange={setQuery} />
      </div>
      {q !== '' && (
        <Matches
          q={q}
          reviewers={reviewers}
          pendingUserId={pendingUserId}
          add={async (user) => {
            if (await add(user)) setQuery('')
          }}
        />
      )}
    </section>
  )
}

type MatchesProps = {
  q: string
  reviewers: Reviewer[]
  pendingUserId: string | null
  add: (user: PublicUser) => Promise<void>
}

/** Renders the users who match a search and may not review yet. */
function Matches({ q, reviewers, pendingUserId, add }: MatchesProps) {
  const { data, error } = useQuery(queryOf(allUsers, { query: { q, limit: 20 } }))
  if (error) return <p className="mt-3 text-sm text-danger">{errorMessage(error)}</p>
  if (data === undefined) return null
  const known = new Set(reviewers.map(({ _id }) => _id))
  const users = data.filter(({ _id }) => !known.has(_id)).slice(0, MATCHES_MAX)
  if (users.length === 0)
    return <p className="mt-3 text-sm text-dim">{t`No other users match your search.`}</p>
  return (
    <ul aria-label={t`Users found`} className="card mt-3 divide-y divide-line">
      {users.map((user) => (
        <li key={user._id} className="flex flex-wrap items-center justify-between gap-3 p-4">
          <UserName {...user} />
          <Button
            variant="default"
            aria-label={t`Add ${{ name: user.name }}`}
            loading={pendingUserId === user._id}
            onClick={() => void add(user)}
          >
            {t`Add`}
          </Button>
        </li>
      ))}
    </ul>
  )
}
