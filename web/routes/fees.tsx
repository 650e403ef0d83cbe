import { t } from '@lingui/core/macro'
import { SitePage } from '#web/features/site-pages/page-text.tsx'
import { pageMeta } from '#web/lib/meta.ts'

export const meta = () =>
  pageMeta({
    title: t`Fees`,
    description: t`Coin packages, the withdrawal rate and every fee at current prices.`,
  })

export default function Fees() {
  return <SitePage page="fees" title={t`Fees and prices`} />
}
