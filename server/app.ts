import { EventEmitter } from 'node:events'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { auditLogRoutes } from './admin-audit-log/routes.ts'
import { apiDocsRoutes } from './api-docs/routes.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { appealRoutes } from './appeals/routes.ts'
import { audienceRoutes } from './audience/routes.ts'
import { agreementRoutes } from './batches/agreement-routes.ts'
import { answerRoutes } from './batches/answer-routes.ts'
import { itemRoutes } from './batches/item-routes.ts'
import { batchRoutes } from './batches/routes.ts'
import { contactRoutes } from './contact/routes.ts'
import type { Context } from './context.ts'
import { demoRoutes } from './demo/routes.ts'
import { destinationRoutes } from './destinations/routes.ts'
import { exchangeRateRoutes } from './exchange-rates/routes.ts'
import { replyToClientError, replyToFrameworkError } from './http/client-errors.ts'
import { type ConnectionMaxima, limitConnections } from './http/connection-limit.ts'
import { compressReplies } from './http/content-encoding.ts'
import { drainConnections } from './http/drain.ts'
import { handleErrors } from './http/errors.ts'
import { setSecurityHeaders } from './http/headers.ts'
import { parseJson } from './http/json.ts'
import { shedLoad } from './http/load-shedding.ts'
import { refuseMalformedRequests } from './http/malformed-requests.ts'
import { limitBodies } from './http/read-body.ts'
import { sendReadyResponses } from './http/ready-response.ts'
import { emitRequestEnds, type RequestEnds } from './http/request-ends.ts'
import { ErrorLog, logRequests, redactSecrets } from './http/request-log.ts'
import { cacheResponses } from './http/response-cache.ts'
import { serveFrom } from './http/serve.ts'
import { serveWeb } from './http/static-pages.ts'
import { signalWrites } from './http/write-signal.ts'
import { identityRoutes } from './identity/routes.ts'
import { imageRoutes } from './images/routes.ts'
import { jobRoutes } from './jobs/routes.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { devMailPage } from './mail/dev-page.ts'
import { mailRoutes, unsubscribeRoutes } from './mail/routes.ts'
import { healthRoutes } from './monitoring/health.ts'
import { metricsRoutes } from './monitoring/metrics.ts'
import { systemRoutes } from './monitoring/system-routes.ts'
import { latestEventNumber } from './notifications/live-queries.ts'
import { liveRoutes } from './notifications/live-routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { settingsRoutes } from './operator-settings/routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { payoutFileRoutes } from './payouts/files/routes.ts'
import { payoutStatementRoutes } from './payouts/files/statement-routes.ts'
import { payoutRoutes } from './payouts/routes.ts'
import { projectRoutes } from './projects/routes.ts'
import { pushRoutes } from './push/routes.ts'
import { receiptRoutes } from './receipts/routes.ts'
import { riskRoutes } from './risk/routes.ts'
import { logRefusals } from './security-log/log-refusals.ts'
import { securityLogRoutes } from './security-log/routes.ts'
import { siteRoutes } from './site/routes.ts'
import { renderPage } from './site-pages/render.ts'
import { sitePageRoutes } from './site-pages/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { submissionRoutes } from './submissions/routes.ts'
import { taskAccessRoutes } from './tasks/access-routes.ts'
import { taskDraftRoutes } from './tasks/draft-routes.ts'
import { taskFunnelRoutes } from './tasks/funnel-routes.ts'
import { taskRoutes } from './tasks/routes.ts'
import { traceRequests } from './tracing.ts'
import { userOverviewRoutes } from './user-overview/routes.ts'
import { userRoutes } from './users/routes.ts'
import { waitingRoutes } from './waiting/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { eventStreamRoutes } from './webhooks/stream-routes.ts'
import { withdrawalRoutes } from './withdrawals/routes.ts'

const BODY_MAX_BYTES = 512 * 1024

/** Limits of connections, in milliseconds and numbers. */
export type ConnectionSettings = ConnectionMaxima & {
  /** For the headers of a request, from the connection or from the previous response. */
  headersMs: number
  /** For the whole request, its body included. */
  requestMs: number
  /**
   * Without a byte: while the server works on a request, or the client does not read. A picture may be decoded, and a PDF file
   * drawn, for two minutes.
   */
  silenceMs: number
  /** Between requests. Longer than the idle time of common load balancers (60 s), which would otherwise reuse a closed connection. */
  idleMs: number
  /** How often slow requests are looked for. */
  checkIntervalMs: number
  /** For open connections when the server closes. */
  finishMs?: number
}

const CONNECTION_SETTINGS: ConnectionSettings = {
  total: 10_000,
  perNetwork: 1_000,
  headersMs: 10_000,
  requestMs: 30_000,
  silenceMs: 150_000,
  idleMs: 72_000,
  checkIntervalMs: 1_000,
}

/** Returns the target of a request as a path: clients may also send it as a whole URL (RFC 9112, absolute-form). */
function originForm({ url = '/' }: { url?: string | undefined }): string {
  return url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
}

/** Creates the HTTP server: the table of contents of everything it serves. */
export async function buildApp(
  context: Context,
  logger: FastifyServerOptions['logger'] = false,
  connectionSettings: Partial<ConnectionSettings> = {},
): Promise<FastifyInstance> {
  const { config } = context
  const connections = { ...CONNECTION_SETTINGS, ...connectionSettings }
  const ends: RequestEnds = new EventEmitter()
  logRequests(ends)
  const app = Fastify({
    logger: redactSecrets(logger),
    logController: new ErrorLog(),
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: connections.requestMs,
    http: {
      headersTimeout: connections.headersMs,
      connectionsCheckingInterval: connections.checkIntervalMs,
      requireHostHeader: false, // refuseMalformedRequests
    },
    connectionTimeout: connections.silenceMs,
    keepAliveTimeout: connections.idleMs,
    forceCloseConnections: 'idle',
    // Requests on connections that still close are served (drainConnections).
    return503OnClosing: false,
    trustProxy: config.trustProxy.length === 0 ? false : config.trustProxy,
    routerOptions: { maxParamLength: 400 },
    rewriteUrl: originForm,
    frameworkErrors: replyToFrameworkError(config, ends),
    clientErrorHandler: replyToClientError(config),
  })
  traceRequests(app)
  emitRequestEnds(app, ends)
  limitConnections(app, config.trustProxy, connections)
  drainConnections(app, connections.finishMs)
  handleErrors(app)
  limitBodies(app)
  parseJson(app)
  refuseMalformedRequests(app, config)
  sendReadyResponses(app)
  setSecurityHeaders(app, config)
  compressReplies(app)
  cacheResponses(app, config)
  const shedder = shedLoad(app, config)
  await app.register(cookie)
  signalWrites(app)
  serveFrom(app, context)
  logRefusals(app, context)

  apiKeyRoutes(app, context)
  webhookRoutes(app, context)
  eventStreamRoutes(app, context)
  metricsRoutes(app, context, shedder, ends)
  healthRoutes(app, context)
  siteRoutes(app, context)
  settingsRoutes(app, context)
  sitePageRoutes(app, context)
  apiDocsRoutes(app, config)
  identityRoutes(app, context, latestEventNumber)
  userRoutes(app, context)
  taskRoutes(app, context)
  taskAccessRoutes(app, context)
  taskDraftRoutes(app, context)
  taskFunnelRoutes(app, context)
  submissionRoutes(app, context)
  projectRoutes(app, context)
  pushRoutes(app, context)
  batchRoutes(app, context)
  itemRoutes(app, context)
  audienceRoutes(app, context)
  answerRoutes(app, context)
  agreementRoutes(app, context)
  appealRoutes(app, context)
  auditLogRoutes(app, context)
  securityLogRoutes(app, context)
  await paymentRoutes(app, context)
  receiptRoutes(app, context)
  withdrawalRoutes(app, context)
  exchangeRateRoutes(app, context)
  riskRoutes(app, context)
  userOverviewRoutes(app, context)
  destinationRoutes(app, context)
  payoutRoutes(app, context)
  payoutFileRoutes(app, context)
  payoutStatementRoutes(app, context)
  notificationRoutes(app, context)
  waitingRoutes(app, context)
  statsRoutes(app, context)
  contactRoutes(app, context)
  ledgerRoutes(app, context)
  await imageRoutes(app, context)
  liveRoutes(app, context)
  mailRoutes(app, context)
  unsubscribeRoutes(app, context)
  jobRoutes(app, context)
  systemRoutes(app, context, shedder)
  if (config.isDevelopment && config.mail.kind === 'folder') devMailPage(app, config.mail.folder)
  if (config.demo) demoRoutes(app, context)

  await serveWeb(app, config, (page, locale) => renderPage(context.database, config, page, locale))
  return app
}
