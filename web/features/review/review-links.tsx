import { t } from '@lingui/core/macro'
import { ScreenLinks } from '#web/ui/filter-links.tsx'

const SCREENS = [
  { to: '/dashboard/task-to-review', label: t`Pending` },
  { to: '/dashboard/approved-task', label: t`Approved` },
  { to: '/dashboard/rejected-task', label: t`Rejected` },
]

/** Renders the links between the lists of a buyer's submissions. */
export function ReviewLinks() {
  return <ScreenLinks label={t`Reviews`} screens={SCREENS} />
}
