import { lazyComponent } from '#web/ui/lazy-component.tsx'
import type { BarChartProps } from './bar-chart.tsx'

/** Renders a bar chart, whose code is loaded when a screen first shows one. */
export const BarChart = lazyComponent<BarChartProps>(() => import('./bar-chart.tsx'))
