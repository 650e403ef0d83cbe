import './bar-chart.css'
import { type PointerEvent, useState } from 'react'
import { formatDay, formatDayAndMonth } from '#web/lib/format-time.ts'

type Series = { name: string; color: 'jade' | 'coin'; values: readonly number[] }

export type BarChartProps = {
  /** The accessible name. */
  name: string
  days: readonly string[]
  /** With two or more, a legend names them. */
  series: readonly Series[]
  format: (value: number) => string
  /** Formats the numbers of the axis, which has no room for long ones. */
  formatAxis: (value: number) => string
}

/** The most labels below the bars. */
const LABELS = 6
/** The share of a day's width that its bars fill. */
const FILLED = 0.8

/**
 * Renders a bar chart by day (docs/decisions/0053-charts.md). The pointer shows the values of a day, and so do the arrow
 * keys: a range input, which a screen reader announces with the day and its values, selects it.
 */
export default function BarChart({ name, days, series, format, formatAxis }: BarChartProps) {
  const [selected, setSelected] = useState(days.length - 1)
  const [isShown, setIsShown] = useState(false)
  const ticks = ticksBetween(
    Math.min(0, ...series.flatMap(({ values }) => values)),
    Math.max(0, ...series.flatMap(({ values }) => values)),
  )
  const [bottom, top] = [ticks.at(0) ?? 0, ticks.at(-1) ?? 1]
  const percentOf = (value: number) => ((value - bottom) / (top - bottom)) * 100
  const dayWidth = 100 / days.length
  const labelEvery = Math.ceil(days.length / LABELS)
  const day = days[selected] ?? ''
  const valuesOfDay = series.map((one) => ({ ...one, value: format(one.values[selected] ?? 0) }))

  function select(index: number) {
    setSelected(index)
    setIsShown(true)
  }

  function selectAt({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * days.length)
    select(Math.max(0, Math.min(days.length - 1, index)))
  }

  return (
    <div className="bar-chart">
      {series.length > 1 && (
        <ul className="bar-chart-legend" aria-hidden>
          {series.map((one) => (
            <li key={one.name} data-color={one.color}>
              {one.name}
            </li>
          ))}
        </ul>
      )}
      <div className="bar-chart-values" aria-hidden>
        {ticks.map((tick) => (
          <span key={tick} style={{ bottom: `${percentOf(tick)}%` }}>
            {formatAxis(tick)}
          </span>
        ))}
      </div>
      <div
        className="bar-chart-plot"
        onPointerMove={selectAt}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setIsShown(false)}
        // A touch ends at once: the focus keeps the values shown until something else is pressed.
        onPointerUp={({ currentTarget }) => currentTarget.querySelector('input')?.focus()}
      >
        <input
          type="range"
          aria-label={name}
          aria-valuetext={`${formatDay(day)}: ${valuesOfDay
            .map((one) => (series.length > 1 ? `${one.name} ${one.value}` : one.value))
            .join(', ')}`}
          min={0}
          max={days.length - 1}
          value={selected}
          onChange={(event) => select(Number(event.target.value))}
          onFocus={() => setIsShown(true)}
          onBlur={() => setIsShown(false)}
          onKeyDown={({ key }) => key === 'Escape' && setIsShown(false)}
        />
        <svg aria-hidden="true">
          {ticks.map((tick) => (
            <line
              key={tick}
              x2="100%"
              y1={`${100 - percentOf(tick)}%`}
              y2={`${100 - percentOf(tick)}%`}
              data-zero={tick === 0 || undefined}
            />
          ))}
          {isShown && (
            <rect
              className="bar-chart-selected"
              x={`${selected * dayWidth}%`}
              width={`${dayWidth}%`}
              height="100%"
            />
          )}
          {series.map(({ name: key, color, values }, place) => (
            <g key={key} data-color={color}>
              {values.map((value, index) => (
                <rect
                  key={days[index]}
                  x={`${(index + (1 - FILLED) / 2 + (place * FILLED) / series.length) * dayWidth}%`}
                  y={`${100 - percentOf(Math.max(0, value))}%`}
                  width={`${(FILLED / series.length) * dayWidth}%`}
                  height={`${percentOf(Math.abs(value)) - percentOf(0)}%`}
                  rx="2"
                />
              ))}
            </g>
          ))}
        </svg>
        {isShown && <Tooltip day={day} values={valuesOfDay} at={((selected + 0.5) / days.length) * 100} />}
      </div>
      <div className="bar-chart-days" aria-hidden>
        {days.map(
          (label, index) =>
            index % labelEvery === 0 && (
              <span key={label} style={{ left: `${(index + 0.5) * dayWidth}%` }}>
                {formatDayAndMonth(label)}
              </span>
            ),
        )}
      </div>
    </div>
  )
}

/** Renders the values of a day. Moving it back by its share of its own width keeps it inside of the chart. */
function Tooltip({ day, values, at }: { day: string; values: (Series & { value: string })[]; at: number }) {
  return (
    <div className="bar-chart-tooltip" style={{ left: `${at}%`, translate: `-${at}%` }} aria-hidden>
      <p>{formatDay(day)}</p>
      {values.map(({ name, color, value }) => (
        <p key={name} data-color={color}>
          {values.length > 1 && `${name} `}
          <b>{value}</b>
        </p>
      ))}
    </div>
  )
}

/** Returns up to six whole, round numbers at equal distances, from at most `low` to at least `high`. */
function ticksBetween(low: number, high: number): number[] {
  const least = Math.max(1, (high - low) / 4)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = Math.ceil(([1, 2, 2.5, 5].find((factor) => factor * power >= least) ?? 10) * power)
  const first = Math.floor(low / step)
  const last = Math.max(first + 1, Math.ceil(high / step))
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}
