import { t } from '@lingui/core/macro'
import { SitePage } from '#web/features/site-pages/page-text.tsx'
import { pageMeta } from '#web/lib/meta.ts'

export const meta = () =>
  pageMeta({
    title: t`Privacy`,
    description: t`What is stored about you, why, for how long, and who can see it.`,
  })

export default function Privacy() {
  return <SitePage page="privacy" title={t`Privacy`} />
}
