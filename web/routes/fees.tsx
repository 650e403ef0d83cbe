import { SitePage } from '#web/features/site-pages/page-text.tsx'
import { pageMeta } from '#web/lib/meta.ts'

export const meta = () =>
  pageMeta({
    title: 'Fees',
    description: 'Coin packages, the withdrawal rate and every fee at current prices.',
  })

export default function Fees() {
  return <SitePage page="fees" title="Fees and prices" />
}
