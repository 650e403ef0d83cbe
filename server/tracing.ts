import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

/** What records spans (docs/operating.md#traces). */
export type Tracer = {
  /** Runs `work` in a span of its own. */
  inSpan<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** Runs a statement in a span of the request or job that it is part of. Without one there is no span. */
  inStatementSpan<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** Makes a span of each request. */
  traceRequests(app: FastifyInstance): void
  /** Sends the last spans. */
  stop(): Promise<void>
}

let tracer: Tracer | undefined

/** Starts to record spans, where OTEL_EXPORTER_OTLP_ENDPOINT is set. The SDK of OpenTelemetry is loaded only then. */
export async function startTracing({ tracesUrl }: Config): Promise<void> {
  if (tracesUrl === undefined) return
  const { openTracer } = await import('./open-telemetry.ts')
  tracer = openTracer(tracesUrl)
}

/** Sends the last spans, as far as the collector takes them. */
export async function stopTracing(): Promise<void> {
  await tracer?.stop()
}

export function traceRequests(app: FastifyInstance): void {
  tracer?.traceRequests(app)
}

export function traceJob<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return tracer === undefined ? work() : tracer.inSpan(`job ${name}`, work)
}

export function traceStatement<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return tracer === undefined ? work() : tracer.inStatementSpan(name, work)
}
