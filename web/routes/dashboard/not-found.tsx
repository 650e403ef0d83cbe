import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Renders the 404 screen of unknown URLs below /dashboard. */
export default function NotFound() {
  return (
    <Screen title={t`Page not found`} width="narrow">
      <EmptyState
        title={t`This page does not exist`}
        action={<Button component={Link} to="/dashboard">{t`Go to your profile`}</Button>}
      >
        {t`Use the menu to find what you are looking for.`}
      </EmptyState>
    </Screen>
  )
}
