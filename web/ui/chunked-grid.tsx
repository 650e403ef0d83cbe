import { memo, type ReactNode } from 'react'

/** Fills whole rows of one, two and three columns. */
const CHUNK_SIZE = 24

type RenderCard<Row> = (row: Row) => ReactNode

type Props<Row> = {
  /** The accessible name of the list. */
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** A stable function, so that unchanged chunks are not rendered again. */
  renderCard: RenderCard<Row>
  /** Tailwind classes for the columns and the estimated height of a chunk. */
  columns: string
  className?: string
}

/** Renders cards in a grid, in chunks of which the browser lays out only those in view, so that long lists scroll fast. */
export function ChunkedGrid<Row>({ label, rows, rowKey, renderCard, columns, className = '' }: Props<Row>) {
  const chunks: Row[][] = []
  for (let from = 0; from < rows.length; from += CHUNK_SIZE) chunks.push(rows.slice(from, from + CHUNK_SIZE))
  return (
    // An auto column would be as wide as the estimated size of a chunk that is out of view.
    // biome-ignore lint/a11y/useSemanticElements: a ul may contain only li, not chunks
    <div role="list" aria-label={label} className={`grid grid-cols-1 gap-4 ${className}`}>
      {chunks.map((chunk, index) => (
        <Chunk
          // biome-ignore lint/suspicious/noArrayIndexKey: a new first row must not remount every chunk and lose the focus
          key={index}
          rows={chunk}
          rowKey={rowKey as (row: unknown) => string}
          renderCard={renderCard as RenderCard<unknown>}
          columns={columns}
        />
      ))}
    </div>
  )
}

type ChunkProps = Pick<Props<unknown>, 'rows' | 'rowKey' | 'renderCard' | 'columns'>

const Chunk = memo(
  function Chunk({ rows, rowKey, renderCard, columns }: ChunkProps) {
    return (
      <div role="presentation" className={`grid gap-4 [content-visibility:auto] ${columns}`}>
        {rows.map((row) => (
          // biome-ignore lint/a11y/useSemanticElements: an item of the list above
          <div role="listitem" key={rowKey(row)}>
            {renderCard(row)}
          </div>
        ))}
      </div>
    )
  },
  (previous, next) =>
    previous.renderCard === next.renderCard &&
    previous.rows.length === next.rows.length &&
    previous.rows.every((row, index) => row === next.rows[index]),
)
