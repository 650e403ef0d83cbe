import type { Node } from './cluster.ts'

/** A node's settings: fail over within seconds, acknowledge no write before a second node has it. */
export function patroniConfig(node: Node, etcdPort: number, bin: string, password: string): string {
  const account = (name: string) => `{ username: ${name}, password: '${password}' }`
  return `
scope: tallywork
name: ${node.name}
restapi: { listen: '127.0.0.1:${node.rest}', connect_address: '127.0.0.1:${node.rest}' }
etcd3: { host: '127.0.0.1:${etcdPort}' }
bootstrap:
  dcs:
    ttl: 8
    loop_wait: 2
    retry_timeout: 3
    primary_start_timeout: 0
    synchronous_mode: true
    synchronous_mode_strict: true
    maximum_lag_on_failover: 1048576
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 60, shared_buffers: 32MB, wal_keep_size: 64MB, wal_receiver_timeout: 5s, wal_sender_timeout: 5s }
  initdb: [{ encoding: UTF8 }, { locale: C.UTF-8 }, data-checksums]
postgresql:
  listen: '127.0.0.1:${node.port}'
  connect_address: '127.0.0.1:${node.port}'
  data_dir: '${node.folder}/data'
  bin_dir: '${bin}'
  pgpass: '${node.folder}/pgpass'
  pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256', 'local all all scram-sha-256']
  authentication: { superuser: ${account('postgres')}, replication: ${account('replicator')}, rewind: ${account('rewinder')} }
  parameters: { unix_socket_directories: '${node.folder}', password_encryption: scram-sha-256 }
`
}

/** HAProxy: the database's port leads to whom Patroni calls the primary, the web's port to whichever instance is ready. */
export function haproxyConfig(
  databasePort: number,
  nodes: readonly Node[],
  webPort: number,
  programs: readonly number[],
): string {
  return `
global
  maxconn 500
defaults
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  mode tcp
  bind 127.0.0.1:${databasePort}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}`).join('\n')}
listen web
  mode http
  bind 127.0.0.1:${webPort}
  option httpchk GET /readyz
  option redispatch
  default-server inter 1s fall 2 rise 1
${programs.map((port, index) => `  server program${index + 1} 127.0.0.1:${port} check`).join('\n')}
`
}
