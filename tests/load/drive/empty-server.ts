// The limit of the reads: a Fastify with one route that does nothing, on the port it is given.
import Fastify from 'fastify'

const app = Fastify()
app.get('/', async () => ({ ok: true }))
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })
console.log('ready')
