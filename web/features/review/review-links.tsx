import { ScreenLinks } from '#web/ui/filter-links.tsx'

const SCREENS = [
  { to: '/dashboard/task-to-review', label: 'Pending' },
  { to: '/dashboard/approved-task', label: 'Approved' },
  { to: '/dashboard/rejected-task', label: 'Rejected' },
]

/** Renders the links between the lists of a buyer's submissions. */
export function ReviewLinks() {
  return <ScreenLinks label="Reviews" screens={SCREENS} />
}
