import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A message as the server received it: the envelope's addresses, and the whole text with its headers. */
export type Received = { from: string; to: string[]; source: string }

/** A real SMTP server on loopback that stores what it receives. `refuse` makes it reject a sender or a recipient with this code. */
export async function startSmtp(port = 0) {
  const received: Received[] = []
  const refusals = new Map<string, number>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: refuseOrAccept,
    onRcptTo: refuseOrAccept,
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      text(stream).then(
        (source) => {
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            source,
          })
          done()
        },
        (error: Error) => done(error),
      )
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return {
    url,
    received,
    refuse: (address: string, code: number) => refusals.set(address, code),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }

  function refuseOrAccept(
    { address }: { address: string },
    _session: unknown,
    done: (error?: Error) => void,
  ) {
    const code = refusals.get(address)
    if (!code) done()
    else done(Object.assign(new Error('Not this one'), { responseCode: code }))
  }
}
