import { t } from '@lingui/core/macro'
import { Button, Checkbox } from '@mantine/core'
import type { UserTableRow } from '#contract/user-table.ts'
import { useBulkActions } from '#web/features/users/use-bulk-actions.tsx'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import type { RowSelection } from '#web/ui/use-row-selection.ts'

type Props = { selection: RowSelection<UserTableRow> }

/** Renders how many users are selected with their coins, and what an Admin can do with all of them. */
export function UserSelection({ selection }: Props) {
  const { selectable, selected, selectAll } = selection
  const { freeze, changeRole, remove, finished } = useBulkActions(selection)
  if (selectable.length === 0) return null
  const coins = selected.reduce((sum, user) => sum + user.coins, 0)
  const isDisabled = selected.length === 0 || finished !== null
  return (
    <div className="mb-3 flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
      <Checkbox
        label={t`Select all ${{ count: formatNumber(selectable.length) }}`}
        checked={selected.length === selectable.length}
        indeterminate={selected.length > 0 && selected.length < selectable.length}
        onChange={(event) => selectAll(event.currentTarget.checked)}
      />
      <p role="status" className="ml-auto text-sm text-dim tabular-nums">
        {finished !== null
          ? t`${{ finished: formatNumber(finished) }} of ${{ count: formatNumber(selected.length) }} done`
          : selected.length > 0 &&
            t`${{ count: formatNumber(selected.length) }} selected · ${{ coins: formatCoins(coins) }}`}
      </p>
      {selected.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <Button size="sm" variant="default" disabled={isDisabled} onClick={() => void freeze()}>
            {t`Freeze`}
          </Button>
          <Button size="sm" variant="default" disabled={isDisabled} onClick={() => void changeRole()}>
            {t`Change role`}
          </Button>
          <Button size="sm" variant="default" c="red" disabled={isDisabled} onClick={() => void remove()}>
            {t`Delete`}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Renders the check box of a user's row; an Admin's own row has none. */
export function SelectUser({ user, selection }: { user: UserTableRow } & Props) {
  if (!selection.selectable.includes(user)) return <span className="inline-block size-5" />
  return (
    <Checkbox
      aria-label={t`Select ${{ name: user.name }}`}
      checked={selection.has(user)}
      onChange={(event) => selection.select(user, event.currentTarget.checked)}
    />
  )
}
