import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A message as the server received it: the envelope's addresses, and the whole text with its headers. */
export type Received = { from: string; to: string[]; source: string }

/** A real SMTP server on loopback that stores what it receives. `refuse` makes it reject a sender or a recipient with this code and text. */
export async function startSmtp(port = 0) {
  const received: Received[] = []
  const refusals = new Map<string, { code: number; text: string }>()
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
    refuse: (address: string, code: number, text = 'Not this one') => refusals.set(address, { code, text }),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }

  function refuseOrAccept(
    { address }: { address: string },
    _session: unknown,
    done: (error?: Error) => void,
  ) {
    const refusal = refusals.get(address)
    if (!refusal?.code) done()
    else done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
  }
}
