import type { FastifyRequest } from 'fastify'
import { deviceOf } from './client-device.ts'
import { clientNetwork } from './client-network.ts'

/** Where a request comes from, as sessions and the security log store it. */
export type Client = {
  /** The IPv4 address, or the /64 network of the IPv6 address. */
  network: string
  /** A readable name, such as "Firefox on Linux". */
  device: string
}

export function clientOf({ ip, headers }: FastifyRequest): Client {
  return { network: clientNetwork(ip), device: deviceOf(headers['user-agent']) }
}
