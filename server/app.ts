import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { recordRoutes } from './admin-audit-log/routes.ts'
import { contactRoutes } from './contact/routes.ts'
import { demoRoutes } from './demo/routes.ts'
import { answerAtHand } from './http/at-hand.ts'
import { answerClientError, answerFrameworkError } from './http/client-errors.ts'
import type { Services } from './http/context.ts'
import { docsRoutes } from './http/docs.ts'
import { answerErrors } from './http/errors.ts'
import { securityHeaders } from './http/headers.ts'
import { closeUnusedConnections } from './http/idle-connections.ts'
import { parseJson } from './http/json.ts'
import { shedLoad } from './http/load.ts'
import { metricsRoutes } from './http/metrics.ts'
import { withoutSecrets } from './http/request-log.ts'
import { requestTimes } from './http/request-times.ts'
import { siteRoutes } from './http/site.ts'
import { serveWeb } from './http/web.ts'
import { identityRoutes } from './identity/routes.ts'
import { imageRoutes } from './images/routes.ts'
import { jobRoutes } from './jobs/routes.ts'
import { systemRoutes } from './jobs/system.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { devMailPage } from './mail/dev-page.ts'
import { mailRoutes } from './mail/routes.ts'
import { liveRoutes } from './notifications/live-routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { submissionRoutes } from './submissions/routes.ts'
import { taskRoutes } from './tasks/routes.ts'
import { userRoutes } from './users/routes.ts'
import { withdrawalRoutes } from './withdrawals/routes.ts'

const BODY_MAX_BYTES = 512 * 1024
const REQUEST_MS = 30_000
/** Whoever has not sent their headers by then, or their whole request by `REQUEST_MS`, is cut off. */
const HEADERS_MS = 10_000
const LOOK_FOR_SLOW_MS = 1_000

/** The table of contents: everything this program answers, by name. */
export async function buildApp(
  services: Services,
  logger: FastifyServerOptions['logger'] = false,
): Promise<FastifyInstance> {
  const { config } = services
  const app = Fastify({
    logger: withoutSecrets(logger),
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_MS,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: LOOK_FOR_SLOW_MS },
    connectionTimeout: REQUEST_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    trustProxy: config.trustProxy.length === 0 ? false : config.trustProxy,
    routerOptions: { maxParamLength: 400 },
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerClientError,
  })
  closeUnusedConnections(app)
  answerErrors(app)
  parseJson(app)
  securityHeaders(app, config)
  const gate = shedLoad(app, config)
  const times = requestTimes()
  answerAtHand(app, times)
  await app.register(cookie)

  metricsRoutes(app, services, gate, times)
  siteRoutes(app, services)
  docsRoutes(app, config)
  identityRoutes(app, services)
  userRoutes(app, services)
  taskRoutes(app, services)
  submissionRoutes(app, services)
  recordRoutes(app, services)
  paymentRoutes(app, services)
  withdrawalRoutes(app, services)
  notificationRoutes(app, services)
  statsRoutes(app, services)
  contactRoutes(app, services)
  ledgerRoutes(app, services)
  await imageRoutes(app, services)
  liveRoutes(app, services)
  mailRoutes(app, services)
  jobRoutes(app, services)
  systemRoutes(app, services, gate)
  if (!config.production && config.mail.kind === 'folder') devMailPage(app, config.mail.folder)
  if (config.demo) demoRoutes(app, services)

  await serveWeb(app, config)
  return app
}
