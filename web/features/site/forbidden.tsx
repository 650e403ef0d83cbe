import { t } from '@lingui/core/macro'
import type { Role } from '#contract/endpoint.ts'
import { LOCALE } from '#web/lib/locale.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Screen } from '#web/ui/screen.tsx'

const AUDIENCES: Record<Role, string> = { Worker: t`Workers`, Buyer: t`Buyers`, Admin: t`Admins` }
const SIGNED_IN_AS: Record<Role, string> = {
  Worker: t`You are signed in as a Worker.`,
  Buyer: t`You are signed in as a Buyer.`,
  Admin: t`You are signed in as an Admin.`,
}

/** Renders the notice that a screen is for other roles. */
export function Forbidden({ roles, role }: { roles: readonly Role[]; role: Role }) {
  const audience = new Intl.ListFormat(LOCALE).format(roles.map((name) => AUDIENCES[name]))
  return (
    <Screen title={t`You do not have access to this page`} width="narrow">
      <EmptyState
        title={t`This page is for ${audience} only`}
        action={<LinkButton to="/dashboard">{t`Go to your profile`}</LinkButton>}
      >
        {SIGNED_IN_AS[role]} {t`Use the menu to find the pages for your role.`}
      </EmptyState>
    </Screen>
  )
}
