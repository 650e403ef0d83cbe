import { useMediaQuery } from '@mantine/hooks'
import type { KeyboardEvent, ReactNode } from 'react'
import { IconChevronDown, IconChevronUp } from '#web/ui/icons.ts'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'

export type Order = 'asc' | 'desc'
export type Sorting<Sort extends string> = { sort: Sort; order: Order; onSort: (sort: Sort) => void }

export type DataColumn<Row, Sort extends string = never> = Column<Row> & {
  /** The order of the list that this column's heading sets. */
  sort?: Sort
}

type Props<Row, Sort extends string> = {
  /** The accessible name of the table. */
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly DataColumn<Row, Sort>[]
  /** Renders a row on a narrow screen. */
  renderCard: (row: Row) => ReactNode
  sorting?: Sorting<Sort>
}

/**
 * Renders a dense table whose heading and first column stay in view, and cards on narrow screens. Arrow keys, Home and End
 * move between the links of the rows.
 */
export function DataTable<Row, Sort extends string = never>(props: Props<Row, Sort>) {
  const isWide = useMediaQuery('(min-width: 64em)', true, { getInitialValueInEffect: false })
  const { label, rows, rowKey, columns, sorting } = props
  if (!isWide) return <ResponsiveList {...props} columns={[...columns]} />
  return (
    <div className="card max-h-[max(24rem,calc(100dvh-7rem))] overflow-auto">
      <table className="w-full border-separate border-spacing-0 text-left text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <HeadingCell key={column.header} column={column} sorting={sorting} isFirst={index === 0} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveFocus}>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="group">
              {columns.map((column, index) => (
                <td
                  key={column.header}
                  className={`border-b border-line px-3 py-1.5 align-middle group-last:border-b-0 group-hover:bg-canvas group-focus-within:bg-canvas ${
                    index === 0 ? 'sticky left-0 z-1 bg-surface pl-5' : ''
                  } ${column.align === 'right' ? 'text-right' : ''} ${column.width ?? ''}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HeadingCell<Row, Sort extends string>({
  column,
  sorting,
  isFirst,
}: {
  column: DataColumn<Row, Sort>
  sorting: Sorting<Sort> | undefined
  isFirst: boolean
}) {
  const { sort, header, align } = column
  const order = sort !== undefined && sorting?.sort === sort ? sorting.order : undefined
  const Arrow = order === 'asc' ? IconChevronUp : IconChevronDown
  return (
    <th
      scope="col"
      aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}
      className={`sticky top-0 border-b border-line bg-surface px-3 text-xs font-number whitespace-nowrap ${
        isFirst ? 'left-0 z-3 pl-5' : 'z-2'
      } ${align === 'right' ? 'text-right' : ''}`}
    >
      {sort === undefined || sorting === undefined ? (
        <span className="inline-flex min-h-11 items-center">{header}</span>
      ) : (
        <button
          type="button"
          className="inline-flex min-h-11 items-center gap-1 hover:text-brand"
          onClick={() => sorting.onSort(sort)}
        >
          {header}
          <Arrow size={14} aria-hidden className={order === undefined ? 'opacity-30' : 'text-brand'} />
        </button>
      )}
    </th>
  )
}

/** Moves the focus to the first link or button of another row. */
function moveFocus(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const { target, currentTarget, key } = event
  if (!(target instanceof Element) || target.closest('select, input, textarea') !== null) return
  const rows = [...currentTarget.querySelectorAll('tr')]
  const index = rows.findIndex((row) => row.contains(target))
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[key]
  const control = next === undefined ? null : rows[next]?.querySelector<HTMLElement>('a, button')
  if (!control) return
  event.preventDefault()
  control.focus()
}
