import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type PublicProfile, publicProfile } from '#contract/users.ts'
import { BuyerRecordDetails } from '#web/features/records/buyer-record.tsx'
import { WorkerRecordDetails } from '#web/features/records/worker-record.tsx'
import { useSiteName } from '#web/features/site/site.ts'
import { ApiError, errorMessage } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'
import { ROLE_NAMES } from '#web/lib/role-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { OnlineOnly } from '#web/ui/skeleton.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

/** Renders what everybody may know of a user before working with them. */
export default function User() {
  const { id = '' } = useParams()
  const siteName = useSiteName()
  const query = useQuery(queryOf(publicProfile, { params: { id } }))
  const { data: user, error } = query
  return (
    <div className="page max-w-2xl py-10 lg:py-14">
      <title>{`${user?.name ?? t`User`} · ${siteName}`}</title>
      {user !== undefined ? (
        <Profile user={user} />
      ) : error === null ? (
        <OnlineOnly>
          <p role="status" className="delayed-fade-in py-24 text-center text-dim">
            {t`Loading user...`}
          </p>
        </OnlineOnly>
      ) : error instanceof ApiError && [400, 404, 422].includes(error.status) ? (
        <>
          <h1 className="mb-6 text-title">{t`User not found`}</h1>
          <EmptyState
            title={t`There is no such user`}
            action={<LinkButton to="/all-worker">{t`View all users`}</LinkButton>}
          >
            {t`They may have left, or the link may be wrong.`}
          </EmptyState>
        </>
      ) : (
        <>
          <h1 className="mb-6 text-title">{t`User`}</h1>
          <ErrorState message={errorMessage(error)} retry={() => void query.refetch()} />
        </>
      )}
    </div>
  )
}

function Profile({ user }: { user: PublicProfile }) {
  const { name, email, image, role, buyerRecord, workerRecord } = user
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Avatar name={name} image={image} size={72} />
        <div className="min-w-0 flex-1 basis-48">
          <h1 className="text-title break-words">{name}</h1>
          <p className="mt-1 text-sm wrap-anywhere text-dim">{email}</p>
          <p className="mt-1.5">
            <StatusBadge tone={role === 'Worker' ? 'success' : 'neutral'}>{ROLE_NAMES[role]}</StatusBadge>
          </p>
        </div>
      </div>
      {(role === 'Buyer' || buyerRecord !== null) && (
        <section className="card mt-6 p-5 sm:p-6">
          <h2 className="mb-3 text-lg">{t`As a buyer`}</h2>
          <BuyerRecordDetails record={buyerRecord} />
        </section>
      )}
      {(role === 'Worker' || workerRecord !== null) && (
        <section className="card mt-6 p-5 sm:p-6">
          <h2 className="mb-3 text-lg">{t`As a worker`}</h2>
          <WorkerRecordDetails record={workerRecord} />
        </section>
      )}
    </>
  )
}
