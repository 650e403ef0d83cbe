import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { myTaskTotals } from '#contract/tasks.ts'
import { queryOf } from '#web/lib/queries.ts'

/** Renders the next step of a buyer whose list of work is empty: the first task, or the tasks they have. */
export function BuyerNextStep() {
  const { data: totals, isPending } = useQuery(queryOf(myTaskTotals, {}))
  if (isPending) return <span className="block h-11" />
  return totals?.all === 0 ? (
    <Button component={Link} to="/dashboard/add-task">{t`Add New Task`}</Button>
  ) : (
    <Button component={Link} to="/dashboard/my-task" variant="default">{t`View my tasks`}</Button>
  )
}
