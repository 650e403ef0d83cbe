// The limit of the reads: a Fastify with one empty route on the given port, which logs requests as the product does.
import Fastify from 'fastify'

const app = Fastify({ logger: { level: 'info' } })
app.get('/', async () => ({ ok: true }))
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })
console.log('ready')
