import { t } from '@lingui/core/macro'
import { SitePage } from '#web/features/site-pages/page-text.tsx'
import { pageMeta } from '#web/lib/meta.ts'

export const meta = () =>
  pageMeta({
    title: t`Terms`,
    description: t`How this marketplace works, and what workers and buyers agree to: escrow, review, appeals, payouts and refunds.`,
  })

export default function Terms() {
  return <SitePage page="terms" title={t`Terms of use`} />
}
