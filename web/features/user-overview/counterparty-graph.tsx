import { plural } from '@lingui/core/macro'
import type { UserOverview } from '#contract/user-overview.ts'

type Counterparty = UserOverview['counterparties'][number]

const SHOWN = 12
const CENTER = { x: 240, y: 150 }
const RADIUS = { x: 170, y: 110 }
const THICKEST = 10

/**
 * Renders a user amid those with whom most coins moved. A line is as thick as its share of the coins; a dashed one joins a
 * user who also shares a number, holder, card or network. The table
 * below it has the amounts and the links.
 */
export function CounterpartyGraph({ name, counterparties, linkedIds }: GraphProps) {
  const shown = counterparties.slice(0, SHOWN)
  const most = Math.max(1, ...shown.map(coinsOf))
  return (
    <svg viewBox="0 0 480 300" className="h-auto w-full" role="img" aria-label={labelOf(name, shown)}>
      {shown.map((counterparty, index) => {
        const { x, y } = positionOf(index, shown.length)
        return (
          <line
            key={counterparty._id}
            x1={CENTER.x}
            y1={CENTER.y}
            x2={x}
            y2={y}
            className={counterparty.coinsFrom >= counterparty.coinsTo ? 'stroke-brand' : 'stroke-on-gold'}
            strokeWidth={1 + (THICKEST * coinsOf(counterparty)) / most}
            strokeDasharray={linkedIds.has(counterparty._id) ? '6 4' : undefined}
          />
        )
      })}
      <Node x={CENTER.x} y={CENTER.y} label={name} radius={14} />
      {shown.map((counterparty, index) => (
        <Node
          key={counterparty._id}
          {...positionOf(index, shown.length)}
          label={counterparty.name}
          radius={9}
        />
      ))}
    </svg>
  )
}

type GraphProps = { name: string; counterparties: readonly Counterparty[]; linkedIds: ReadonlySet<string> }

function Node({ x, y, label, radius }: { x: number; y: number; label: string; radius: number }) {
  return (
    <g>
      <circle cx={x} cy={y} r={radius} className="fill-surface stroke-ink" strokeWidth={2} />
      <text
        x={x}
        y={y < CENTER.y ? y - radius - 6 : y + radius + 13}
        textAnchor="middle"
        className="fill-ink text-[0.7rem]"
        style={{ paintOrder: 'stroke', stroke: 'var(--mantine-color-surface)', strokeWidth: 3 }}
      >
        {label.length > 18 ? `${label.slice(0, 17)}…` : label}
      </text>
    </g>
  )
}

const coinsOf = ({ coinsFrom, coinsTo }: Counterparty) => coinsFrom + coinsTo

function positionOf(index: number, count: number): { x: number; y: number } {
  const angle = (2 * Math.PI * index) / count - Math.PI / 2
  return { x: CENTER.x + RADIUS.x * Math.cos(angle), y: CENTER.y + RADIUS.y * Math.sin(angle) }
}

function labelOf(name: string, shown: readonly Counterparty[]): string {
  const names = shown.map((one) => one.name).join(', ')
  const count = shown.length
  return plural(count, {
    one: `${name} and the user with whom most coins moved: ${names}`,
    other: `${name} and the # users with whom most coins moved: ${names}`,
  })
}
