import { lazyComponent } from '#web/ui/lazy-component.tsx'

/** The charts of a user, which are below the fold. */
export const UserCharts = lazyComponent(() => import('./user-charts.tsx'))

/** Their least height in pixels. */
export const CHARTS_HEIGHT = 300
