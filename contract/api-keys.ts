import * as z from 'zod/mini'
import { API_SCOPES, endpoint } from './endpoint.ts'
import { ById, Id, line, Time, whole } from './shapes.ts'

/** The keys that a user can have at a time, revoked and expired ones not counted. */
export const API_KEYS_MAX = 20
export const API_KEY_REQUESTS_PER_MINUTE = 600
/** Every secret of an API key begins with this, so that scanners of leaked secrets and the server recognize it. */
export const API_KEY_MARK = 'tw_'
export const API_KEY_NAME_MAX = 60
export const API_KEY_NETWORKS_MAX = 10
export const API_KEY_DAYS_MAX = 366

const Scopes = z.array(z.enum(API_SCOPES)).check(
  z.minLength(1, 'Choose at least one scope'),
  z.refine((scopes) => new Set(scopes).size === scopes.length, 'Choose each scope once'),
)
const addressOrNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
/** An IP address or a network in CIDR notation. */
const Network = z.string().check(
  z.trim(),
  z.maxLength(50, 'At most 50 characters'),
  z.refine(
    (typed) => addressOrNetwork.safeParse(typed).success,
    'Enter an IP address or a network such as 203.0.113.0/24',
  ),
)

/** An API key without its secret. `prefix` is the beginning of the secret. No networks: it works from any. */
export const ApiKey = z.object({
  _id: Id,
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  networks: z.array(z.string()),
  createdAt: Time,
  expiresAt: Time,
  revokedAt: z.nullable(Time),
  lastUsedAt: z.nullable(Time),
  lastUsedNetwork: z.nullable(z.string()),
})
export type ApiKey = z.infer<typeof ApiKey>

export const NewApiKey = z.object({
  name: line(API_KEY_NAME_MAX, 'Enter a name'),
  scopes: Scopes,
  networks: z.optional(
    z.array(Network).check(z.maxLength(API_KEY_NETWORKS_MAX, `At most ${API_KEY_NETWORKS_MAX} networks`)),
  ),
  expiresInDays: whole(1, API_KEY_DAYS_MAX),
})
export type NewApiKey = z.infer<typeof NewApiKey>

/** The requests of a key within a minute, with their last network. `operation` is the method and path of an endpoint. */
export const ApiKeyUse = z.object({
  minute: Time,
  operation: z.string(),
  status: z.int(),
  requests: z.int(),
  network: z.string(),
})
export type ApiKeyUse = z.infer<typeof ApiKeyUse>

export const apiKeys = endpoint({
  method: 'GET',
  path: '/api-keys',
  summary: "The caller's API keys, newest first, at most 100",
  access: { who: 'signed-in' },
  reply: z.array(ApiKey),
})

/** The only response with the secret. It is not stored, so a repeated request makes another key. */
export const createApiKey = endpoint({
  method: 'POST',
  path: '/api-keys',
  summary: 'Make an API key; the response has its secret, which is not shown again',
  access: { who: ['Worker', 'Buyer'], fresh: true },
  limit: { perUser: 30, perNetwork: 300 },
  body: NewApiKey,
  reply: z.extend(ApiKey, { secret: z.string() }),
  status: 201,
  idempotency: 'own',
})

export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/api-keys/:id',
  summary: 'Revoke an API key; it stops working at once',
  access: { who: 'signed-in', fresh: true },
  limit: { perUser: 120, perNetwork: 1200 },
  params: ById,
  reply: z.undefined(),
  status: 204,
  idempotency: 'own',
})

export const apiKeyUses = endpoint({
  method: 'GET',
  path: '/api-keys/:id/uses',
  summary: 'What an API key did in the last 30 days by minute, newest first, at most 100 entries',
  access: { who: 'signed-in' },
  params: ById,
  reply: z.array(ApiKeyUse),
})
