import { t } from '@lingui/core/macro'
import type { SitePageName } from '#contract/site-pages.ts'

/** The titles of the public pages, as Admins see them. */
export const SITE_PAGE_TITLES: Record<SitePageName, string> = {
  terms: t`Terms`,
  privacy: t`Privacy`,
  fees: t`Fees`,
}
