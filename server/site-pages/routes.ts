import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/site-pages.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { changePage, pageVersions } from './queries.ts'
import { defaultText, renderPage, renderText } from './render.ts'

const CHANGES_MAX = 20

/** Serves the texts of public pages, and to Admins their Markdown, preview and change. */
export function sitePageRoutes(app: FastifyInstance, context: Omit<Context, 'database'>): void {
  const { config } = context

  serve(app, context, contract.sitePage, async ({ db, params, request }) => ({
    html: await renderPage(db, config, pageOf(params), requestLocale(request)),
  }))

  serve(app, context, contract.sitePageSource, async ({ db, params }) => readSource(db, pageOf(params)))

  serve(app, context, contract.previewSitePage, async ({ db, params, body }) => {
    pageOf(params)
    return { html: await renderText(db, config, body.text) }
  })

  serve(app, context, contract.changeSitePage, async ({ db, params, body, viewer }) => {
    const page = pageOf(params)
    await changePage(db, { ...body, page, admin: viewer.id })
    return readSource(db, page)
  })
}

function pageOf({ page }: { page: string }): contract.SitePageName {
  const name = contract.SITE_PAGES.find((known) => known === page)
  if (name === undefined) throw new Refusal('not_found')
  return name
}

async function readSource(db: Db, page: contract.SitePageName): Promise<contract.SitePageSource> {
  const versions = await pageVersions(db, page, CHANGES_MAX)
  const original = defaultText(page)
  return {
    page,
    version: versions[0]?.version ?? 0,
    text: versions[0]?.text ?? original,
    defaultText: original,
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
