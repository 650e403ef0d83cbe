import { memo, type ReactNode } from 'react'

/** Fills whole rows of one, two and three columns. */
const PIECE = 24

type Card<Row> = (row: Row) => ReactNode

type Props<Row> = {
  /** What the list holds, for people who cannot see it. */
  label: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Always the same function, so that a piece that did not change is left alone. */
  card: Card<Row>
  /** The columns, and about how high 24 cards are in them, as Tailwind says it. */
  columns: string
  className?: string
}

/**
 * Cards in a grid, in pieces: the browser lays out and draws only the pieces in sight, so that the hundredth page scrolls
 * like the first.
 */
export function ChunkedGrid<Row>({ label, rows, keyOf, card, columns, className = '' }: Props<Row>) {
  const pieces: Row[][] = []
  for (let from = 0; from < rows.length; from += PIECE) pieces.push(rows.slice(from, from + PIECE))
  return (
    // biome-ignore lint/a11y/useSemanticElements: between a ul and its li there may be no piece
    <div role="list" aria-label={label} className={`grid gap-4 ${className}`}>
      {pieces.map((piece, place) => (
        <Piece
          // biome-ignore lint/suspicious/noArrayIndexKey: a new first row must not make every piece anew, under whoever has the focus
          key={place}
          rows={piece}
          keyOf={keyOf as (row: unknown) => string}
          card={card as Card<unknown>}
          columns={columns}
        />
      ))}
    </div>
  )
}

type PieceProps = Pick<Props<unknown>, 'rows' | 'keyOf' | 'card' | 'columns'>

const Piece = memo(
  function Piece({ rows, keyOf, card, columns }: PieceProps) {
    return (
      <div role="presentation" className={`grid gap-4 [content-visibility:auto] ${columns}`}>
        {rows.map((row) => (
          // biome-ignore lint/a11y/useSemanticElements: an item of the list above
          <div role="listitem" key={keyOf(row)}>
            {card(row)}
          </div>
        ))}
      </div>
    )
  },
  (before, now) =>
    before.card === now.card &&
    before.rows.length === now.rows.length &&
    before.rows.every((row, index) => row === now.rows[index]),
)
