import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/site-pages.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { serve } from '#server/http/serve.ts'
import { changePage, pageVersions } from './queries.ts'
import { defaultText, renderPage, renderText } from './render.ts'

const CHANGES_MAX = 20

/** Serves the texts of public pages, and to Admins their Markdown, preview and change. */
export function sitePageRoutes(app: FastifyInstance, context: Omit<Context, 'database'>): void {
  const { config } = context

  serve(app, context, contract.sitePage, async ({ db, params }) => ({
    html: await renderPage(db, config, params.page),
  }))

  serve(app, context, contract.sitePageSource, async ({ db, params }) => readSource(db, params.page))

  serve(app, context, contract.previewSitePage, async ({ db, body }) => ({
    html: await renderText(db, config, body.text),
  }))

  serve(app, context, contract.changeSitePage, async ({ db, params, body, viewer }) => {
    await changePage(db, { ...body, page: params.page, admin: viewer.id })
    return readSource(db, params.page)
  })
}

async function readSource(db: Db, page: contract.SitePageName): Promise<contract.SitePageSource> {
  const versions = await pageVersions(db, page, CHANGES_MAX)
  const original = defaultText(page)
  return {
    page,
    version: versions[0]?.version ?? 0,
    text: versions[0]?.text ?? original,
    defaultText: original,
    changes: versions.map(({ version, text, reason, changed_by_name, changed_at }) => ({
      version,
      text,
      reason,
      changedBy: changed_by_name,
      changedAt: changed_at,
    })),
  }
}
