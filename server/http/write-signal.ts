import { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { isSafeMethod } from './safe-method.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Emits `written` after each request that may have written to the database. */
    writes: EventEmitter<{ written: [] }>
  }
}

/** Signals writes to this process's own background work, which would otherwise find them at its next poll. */
export function signalWrites(app: FastifyInstance): void {
  const writes = new EventEmitter<{ written: [] }>()
  app.decorate('writes', writes)
  // A response is sent to a client that has disconnected too, but onResponse is not called then.
  app.addHook('onSend', ({ method }, _reply, payload, done) => {
    if (!isSafeMethod(method)) writes.emit('written')
    done(null, payload)
  })
}
