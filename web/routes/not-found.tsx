import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLocation } from 'react-router'
import { pageMeta } from '#web/lib/meta.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export const meta = () => pageMeta({ title: t`Page not found`, description: t`This page does not exist.` })

/** Renders the 404 page of unknown URLs. */
export default function NotFound() {
  const { pathname } = useLocation()
  return (
    <div className="page max-w-2xl py-16">
      <h1 className="mb-6 text-title">{t`Page not found`}</h1>
      <EmptyState
        title={t`This page does not exist`}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <LinkButton to="/">{t`Go to home`}</LinkButton>
            <LinkButton to="/all-task" variant="default">{t`Find work`}</LinkButton>
          </div>
        }
      >
        <Trans>
          <span className="break-all">{pathname}</span> may have been moved, or the link may be wrong.
        </Trans>
      </EmptyState>
    </div>
  )
}
