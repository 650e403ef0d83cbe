import type { Node } from './cluster.ts'

/**
 * A node's settings: fail over within seconds, acknowledge no write before a second node has it. What Patroni 3 leaves
 * open is closed twice: `copy.sh`, and `pre_promote`, because PostgreSQL begins to wait for a second node only when its
 * checkpointer has read the setting that Patroni makes before it promotes, which can be seconds late on a busy machine;
 * after two checkpoints it has. The socket is in a directory that only its user can enter.
 */
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
  pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256', 'local all all trust']
  authentication: { superuser: ${account('postgres')}, replication: ${account('replicator')}, rewind: ${account('rewinder')} }
  create_replica_methods: [fetch]
  fetch: { command: 'sh ${node.folder}/copy.sh' }
  pre_promote: psql -X -h ${node.folder} -p ${node.port} -U postgres -d postgres -c checkpoint -c checkpoint
  parameters: { unix_socket_directories: '${node.folder}', password_encryption: scram-sha-256 }
`
}

/**
 * How a new node copies the primary. While the primary has no second node, Patroni 3 lets any stream of the journal
 * acknowledge writes, also the one that pg_basebackup reads by default; a copy that is not whole would be all that has
 * them. With `fetch` the copy reads no stream.
 */
export const COPY = `for argument; do
  case $argument in
    --datadir=*) folder=\${argument#*=} ;;
    --connstring=*) primary=\${argument#*=} ;;
  esac
done
exec pg_basebackup --pgdata="$folder" --dbname="$primary" --wal-method=fetch --checkpoint=fast
`

/** HAProxy: the database's port leads to whom Patroni calls the primary, the web's port to whichever instance is ready. */
export function haproxyConfig(
  databasePort: number,
  nodes: readonly Node[],
  webPort: number,
  serverPorts: readonly number[],
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
${serverPorts.map((port, index) => `  server instance${index + 1} 127.0.0.1:${port} check`).join('\n')}
`
}
