import { t } from '@lingui/core/macro'
import { Button, Checkbox, Popover } from '@mantine/core'
import { useState } from 'react'
import { readStored, store } from '#web/lib/browser-storage.ts'
import { IconColumns3 } from '#web/ui/icons.ts'

type Choosable = { header: string; isRequired?: boolean; isHiddenAtFirst?: boolean }

const keyOf = (table: string) => `columns-of-${table}`

/** Returns which columns of a table are shown, and a function that shows or hides one. The browser remembers it. */
export function useColumns<Column extends Choosable>(table: string, columns: readonly Column[]) {
  const [hidden, setHidden] = useState(() => storedOf(table) ?? hiddenAtFirst(columns))
  const toggle = (header: string) => {
    const next = hidden.includes(header) ? hidden.filter((one) => one !== header) : [...hidden, header]
    setHidden(next)
    store(keyOf(table), JSON.stringify(next))
  }
  const isShown = ({ header, isRequired }: Choosable) => isRequired === true || !hidden.includes(header)
  return { shown: columns.filter(isShown), isShown, toggle }
}

const hiddenAtFirst = (columns: readonly Choosable[]) =>
  columns.filter(({ isHiddenAtFirst }) => isHiddenAtFirst).map(({ header }) => header)

function storedOf(table: string): string[] | null {
  try {
    const stored: unknown = JSON.parse(readStored(keyOf(table)) ?? 'null')
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : null
  } catch {
    return null
  }
}

type Props<Column extends Choosable> = {
  columns: readonly Column[]
  isShown: (column: Column) => boolean
  toggle: (header: string) => void
}

/** Renders a button that opens the choice of columns. Cards of narrow screens always show the same. */
export function ColumnChoice<Column extends Choosable>({ columns, isShown, toggle }: Props<Column>) {
  return (
    <div className="hidden lg:block">
      <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Button variant="default" leftSection={<IconColumns3 size={18} aria-hidden />}>{t`Columns`}</Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t`Columns`}>
          <div className="flex flex-col gap-3 py-1">
            {columns
              .filter(({ isRequired }) => isRequired !== true)
              .map((column) => (
                <Checkbox
                  key={column.header}
                  label={column.header}
                  checked={isShown(column)}
                  onChange={() => toggle(column.header)}
                />
              ))}
          </div>
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}
