import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'

type Props = {
  caption: string
  columns: readonly string[]
  rows: readonly (readonly [string, ...ReactNode[]])[]
}

/** Renders a button that shows the values of a chart as a table. The first value of a row is its header. */
export function ChartTable({ caption, columns, rows }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="mt-3 text-sm">
      <button
        type="button"
        className="link min-h-6 cursor-pointer"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? t`Hide table` : t`Show as table`}
      </button>
      {isOpen && (
        <div className="mt-2 max-h-80 overflow-auto">
          <table className="w-full tabular-nums">
            <caption className="sr-only">{caption}</caption>
            <thead>
              <tr className="border-b border-line">
                {columns.map((column, index) => (
                  <th
                    key={column}
                    scope="col"
                    className={`py-1.5 font-nav ${index === 0 ? 'text-left' : 'pl-4 text-right'}`}
                  >
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([header, ...values]) => (
                <tr key={header} className="border-b border-line last:border-0">
                  <th scope="row" className="py-1.5 text-left font-normal">
                    {header}
                  </th>
                  {values.map((value, index) => (
                    <td key={columns[index + 1]} className="py-1.5 pl-4 text-right">
                      {value}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
