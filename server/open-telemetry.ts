import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { VERSION } from './database/schema-version.ts'
import type { Tracer } from './tracing.ts'

/** Timeout of the collector; a stop waits at most this long for the last spans. */
const TIMEOUT_MS = 2_000
const INTERVAL_MS = 1_000

/**
 * Returns a tracer that sends spans to an OTLP collector. Attributes are routes, names of statements and statuses: paths,
 * queries, values, addresses and messages of errors can have personal data.
 */
export function openTracer(collectorUrl: string): Tracer {
  const exporter = new OTLPTraceExporter({
    url: `${collectorUrl.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: TIMEOUT_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tallywork', 'service.version': VERSION }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: INTERVAL_MS,
        exportTimeoutMillis: TIMEOUT_MS,
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracer = provider.getTracer('tallywork', VERSION)

  async function inSpan<Result>(
    name: string,
    work: () => Promise<Result>,
    options: { kind: SpanKind; attributes?: Attributes } = { kind: SpanKind.INTERNAL },
  ): Promise<Result> {
    const span = tracer.startSpan(name, options)
    try {
      return await context.with(trace.setSpan(context.active(), span), work)
    } catch (error) {
      fail(span, error)
      throw error
    } finally {
      span.end()
    }
  }

  return {
    inSpan: (name, work) => inSpan(name, work),
    inStatementSpan(name, work) {
      if (trace.getActiveSpan() === undefined) return work()
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name }
      return inSpan(name, work, { kind: SpanKind.CLIENT, attributes })
    },
    traceRequests(app: FastifyInstance) {
      const contexts = new WeakMap<FastifyRequest, Context>()
      app.addHook('onRequest', (request, reply, done) => {
        const { method, routeOptions, headers } = request
        const route = routeOptions.url
        const attributes = { 'http.request.method': method, ...(route && { 'http.route': route }) }
        const name = route === undefined ? method : `${method} ${route}`
        const span = tracer.startSpan(
          name,
          { kind: SpanKind.SERVER, attributes },
          parentOf(headers.traceparent),
        )
        reply.raw.once('close', () => {
          const { statusCode, writableFinished } = reply.raw
          span.setAttribute('http.response.status_code', statusCode)
          if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          if (!writableFinished) span.setAttribute('error.type', 'aborted')
          span.end()
        })
        const active = trace.setSpan(ROOT_CONTEXT, span)
        contexts.set(request, active)
        context.with(active, done)
      })
      // A body arrives in events of the connection, which are outside the request's context.
      app.addHook('preValidation', (request, _reply, done) => {
        context.with(contexts.get(request) ?? ROOT_CONTEXT, done)
      })
    },
    async stop() {
      // A collector that is away or hangs loses the last spans.
      await Promise.race([provider.shutdown().catch(() => {}), sleep(TIMEOUT_MS)])
    },
  }
}

function parentOf(traceparent: string | string[] | undefined): Context {
  const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
}

function fail(span: Span, error: unknown): void {
  const { code, name } = error as { code?: unknown; name?: string }
  span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? 'unknown'))
  span.setStatus({ code: SpanStatusCode.ERROR })
}
