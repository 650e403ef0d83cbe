import type { ReactNode } from 'react'
import { RowList } from '#web/ui/row-list.tsx'
import { useIsWide } from '#web/ui/use-is-wide.ts'

export type Column<Row> = {
  header: string
  cell: (row: Row) => ReactNode
  /** Amounts and actions are right-aligned. */
  align?: 'right'
  /** A Tailwind width, e.g. `w-40`; `@4xl:` is the width of the table, in rem: enlarged text counts as a narrow one. */
  width?: string
}

type Props<Row> = {
  /** The accessible name of the list. */
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: Column<Row>[]
  /** Renders a row on a narrow screen. */
  renderCard: (row: Row) => ReactNode
}

/** Renders a table on wide screens (1024 px), cards on narrow ones. */
export function ResponsiveList<Row>({ label, rows, rowKey, columns, renderCard }: Props<Row>) {
  const isWide = useIsWide()
  if (!isWide) {
    return (
      <RowList aria-label={label} className="card divide-y divide-line overflow-hidden">
        {rows.map((row) => (
          <li key={rowKey(row)} className="p-4 [contain-intrinsic-size:auto_9rem] [content-visibility:auto]">
            {renderCard(row)}
          </li>
        ))}
      </RowList>
    )
  }
  return (
    <div className="@container card overflow-x-auto">
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b border-line">
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={`${cellClass(column)} py-3 text-xs font-number whitespace-nowrap`}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={rowKey(row)} className="transition-colors hover:bg-canvas/60">
              {columns.map((column) => (
                <td key={column.header} className={`${cellClass(column)} py-3 align-middle`}>
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

function cellClass(column: { align?: 'right'; width?: string }): string {
  return `px-3 first:pl-5 last:pr-5 ${column.align === 'right' ? 'text-right wrap-normal' : ''} ${column.width ?? ''}`
}
