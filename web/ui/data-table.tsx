import type { KeyboardEvent, ReactNode } from 'react'
import { useRowFocus } from '#web/lib/recover-focus.ts'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'
import './data-table.css'

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
  const isWide = useIsWide()
  return isWide ? <WideTable {...props} /> : <ResponsiveList {...props} columns={[...props.columns]} />
}

function WideTable<Row, Sort extends string>({ label, rows, rowKey, columns, sorting }: Props<Row, Sort>) {
  const body = useRowFocus<HTMLTableSectionElement>()
  return (
    <div className="card data-table-scroller">
      <table className="data-table">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadingCell key={column.header} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={moveFocus}>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td key={column.header} data-align={column.align} className={column.width}>
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
}: {
  column: DataColumn<Row, Sort>
  sorting: Sorting<Sort> | undefined
}) {
  const { sort, header, align, width } = column
  const order = sort !== undefined && sorting?.sort === sort ? sorting.order : undefined
  return (
    <th
      scope="col"
      aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}
      data-align={align}
      className={width}
    >
      {sort === undefined || sorting === undefined ? (
        <span className="data-table-heading">{header}</span>
      ) : (
        <button
          type="button"
          className="data-table-heading"
          data-sortable
          onClick={() => sorting.onSort(sort)}
        >
          {header}
        </button>
      )}
    </th>
  )
}

/** Moves the focus to the first link or button of another row. */
function moveFocus(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const { target, currentTarget, key } = event
  if (!(target instanceof Element) || target.closest('select, input:not([type=checkbox]), textarea') !== null)
    return
  const rows = [...currentTarget.querySelectorAll('tr')]
  const index = rows.findIndex((row) => row.contains(target))
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[key]
  const control = next === undefined ? null : rows[next]?.querySelector<HTMLElement>('a, button')
  if (!control) return
  event.preventDefault()
  control.focus()
}
