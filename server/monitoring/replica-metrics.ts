import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Context } from '#server/context.ts'

/** Registers the replica metrics: reads by the server that served them, and the state of each replica. */
export function measureReplicas(
  app: FastifyInstance,
  { replicas }: Pick<Context, 'replicas'>,
  registry: Registry,
): void {
  const registers = [registry]
  const standbys = () => replicas.states().filter(({ isPrimary }) => !isPrimary)
  new Counter({
    name: 'replica_eligible_reads_total',
    help: 'Reads that a replica may serve, by the server that served them; none without replicas',
    labelNames: ['target'],
    registers,
    collect() {
      this.reset()
      const { replica, primary } = app.replicaReads.counts
      this.inc({ target: 'replica' }, replica)
      this.inc({ target: 'primary' }, primary)
    },
  })
  new Counter({
    name: 'replica_reads_repeated_total',
    help: 'Reads that failed on a replica and were repeated on the primary',
    registers,
    collect() {
      this.reset()
      this.inc(app.replicaReads.counts.repeated)
    },
  })
  new Gauge({
    name: 'replica_in_use',
    help: '1 while a replica is read from; absent while it is the primary',
    labelNames: ['replica'],
    registers,
    collect() {
      this.reset()
      for (const { name, isUsed } of standbys()) this.set({ replica: name }, isUsed ? 1 : 0)
    },
  })
  new Gauge({
    name: 'replica_lag_seconds',
    help: 'Age of the newest commit that a replica is known to have; measured five times a second; absent while it is the primary',
    labelNames: ['replica'],
    registers,
    collect() {
      this.reset()
      for (const { name, lagMs } of standbys()) this.set({ replica: name }, lagMs / 1000)
    },
  })
}
