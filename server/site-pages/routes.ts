import type { FastifyInstance } from 'fastify'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import * as contract from '#contract/site-pages.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { changePage, latestVersion, pageVersions } from './queries.ts'
import { defaultText, renderPage, renderText } from './render.ts'

const CHANGES_MAX = 20

/** Serves the texts of public pages, and to Admins their Markdown, preview and change. */
export function sitePageRoutes(app: FastifyInstance, context: Omit<Context, 'database'>): void {
  const { config } = context

  serve(app, context, contract.sitePage, async ({ db, params, request }) => ({
    html: await renderPage(db, config, pageOf(params), requestLocale(request)),
  }))

  serve(app, context, contract.sitePageSource, async ({ db, params, query }) =>
    readSource(db, pageOf(params), query.locale ?? DEFAULT_LOCALE),
  )

  serve(app, context, contract.previewSitePage, async ({ db, params, body }) => {
    pageOf(params)
    return { html: await renderText(db, config, body.text, body.locale ?? DEFAULT_LOCALE) }
  })

  serve(app, context, contract.changeSitePage, async ({ db, params, body, viewer }) => {
    const page = pageOf(params)
    const { locale = DEFAULT_LOCALE, ...change } = body
    await changePage(db, { ...change, page, locale, admin: viewer.id })
    return readSource(db, page, locale)
  })
}

function pageOf({ page }: { page: string }): contract.SitePageName {
  const name = contract.SITE_PAGES.find((known) => known === page)
  if (name === undefined) throw new Refusal('not_found')
  return name
}

async function readSource(
  db: Db,
  page: contract.SitePageName,
  locale: Locale,
): Promise<contract.SitePageSource> {
  const versions = await pageVersions(db, page, locale, CHANGES_MAX)
  const original = defaultText(page, locale)
  const english = locale === DEFAULT_LOCALE ? undefined : await latestVersion(db, page, DEFAULT_LOCALE)
  const [latest] = versions
  return {
    page,
    locale,
    version: latest?.version ?? 0,
    text: latest?.text ?? original,
    defaultText: original,
    behindEnglish: english !== undefined && (latest === undefined || latest.changed_at < english.changed_at),
    changes: versions.map((row) => ({
      version: row.version,
      text: row.text,
      reason: row.reason,
      changedBy: row.changed_by_name,
      changedById: row.changed_by,
      changedAt: row.changed_at,
    })),
  }
}
