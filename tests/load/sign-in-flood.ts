// Shows that a flood of sign-ins, each of which costs a slow hash, leaves the rest of the server quick.
//
//   node tests/load/sign-in-flood.ts [--connections 64] [--seconds 5]
//
// One client reads its own record again and again and measures each response: idle, and while many
// connections sign in as fast as they get responses, from one network (which is soon refused), and from a network and
// for an address of its own each time (which only the gates before the database and the hash stop).
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startServerProcess } from '#tests/support/server-process.ts'

const { values } = parseArgs({
  options: { connections: { type: 'string', default: '64' }, seconds: { type: 'string', default: '5' } },
})
const connections = Number(values.connections)
const seconds = Number(values.seconds)

const server = await startServerProcess({ env: { TRUST_PROXY: '127.0.0.1', DEMO: '1', LOG_LEVEL: 'error' } })
const site = `http://127.0.0.1:${server.port}`

function post(path: string, json?: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(site + path, {
    method: 'POST',
    headers: { ...headers, ...(json && { 'content-type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
  })
}

async function enter(): Promise<{ email: string; authorization: string }> {
  const entered = await post('/api/demo/try-as', { role: 'Worker' })
  const { user } = (await entered.json()) as { user: { email: string } }
  const cookie = (entered.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
  const response = await post('/api/auth/token', undefined, { cookie })
  return {
    email: user.email,
    authorization: `Bearer ${((await response.json()) as { token: string }).token}`,
  }
}

/** Reads one's own record for a while; returns the latencies. */
async function read({ email, authorization }: { email: string; authorization: string }): Promise<string> {
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    const began = performance.now()
    const response = await fetch(`${site}/api/user-details/${email}`, { headers: { authorization } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`A read returned ${response.status}`)
    times.push(performance.now() - began)
    await sleep(5)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)
  return `${times.length} reads: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}

async function flooded(
  network: (n: number) => string,
  address: (n: number) => string,
  work: () => Promise<string>,
): Promise<string> {
  const counts = new Map<number, number>()
  let on = true
  let sent = 0
  const attackers = Array.from({ length: connections }, async () => {
    while (on) {
      const n = sent++
      const body = { email: address(n), password: 'Wrong!pass' }
      const response = await post('/api/auth/sign-in', body, { 'x-forwarded-for': network(n) })
      await response.arrayBuffer()
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
    }
  })
  await sleep(500)
  const result = await work()
  on = false
  await Promise.all(attackers)
  return `${result}; sign-ins: ${[...counts].map(([status, count]) => `${count} × ${status}`).join(', ')}`
}

try {
  const viewer = await enter()
  const query = () => read(viewer)
  console.log(`in peace              ${await query()}`)
  const oneNetwork = () => '203.0.113.1'
  const fewAddresses = (n: number) => `guess.${n % 50}@example.com`
  console.log(`flooded from one      ${await flooded(oneNetwork, fewAddresses, query)}`)
  const anyNetwork = (n: number) => `198.18.${(n >> 8) % 256}.${n % 256}`
  const anyAddress = (n: number) => `guess.${n}@example.com`
  console.log(`flooded from anywhere ${await flooded(anyNetwork, anyAddress, query)}`)
} finally {
  await server.stop()
}
