import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { type MailParts, mailParts } from './mail-parts.ts'

export type Received = MailParts & {
  from: string
  to: string[]
  raw: string
  isSecure: boolean
  user: string | undefined
}
/** The error with which the server refuses a delivery at one stage. */
export type SmtpRefusal = { at: 'from' | 'rcpt' | 'data'; code: number; message?: string }
export type Sink = {
  port: number
  url: string
  mails: Received[]
  /** The number of connections so far. */
  connections: number
  /** Refuses the next deliveries, one for each refusal. */
  refuse: (...refusals: SmtpRefusal[]) => void
  /** Called with every email after it is stored and before the server accepts it. */
  onMail: ((mail: Received) => void | Promise<void>) | undefined
  close: () => Promise<void>
}
type Options = {
  tls?: { key: string; cert: string; implicit?: boolean }
  login?: { user: string; pass: string }
  port?: number
}

/** Starts an SMTP server on the loopback interface that stores all emails. */
export async function startSink({ tls, login, port = 0 }: Options = {}): Promise<Sink> {
  const waiting: SmtpRefusal[] = []
  const refusalAt = (at: SmtpRefusal['at']): Error | undefined => {
    if (waiting[0]?.at !== at) return undefined
    const { code, message = 'not now' } = waiting.shift()!
    return Object.assign(new Error(message), { responseCode: code })
  }
  const server = new SMTPServer({
    secure: tls?.implicit ?? false,
    ...(tls && { key: tls.key, cert: tls.cert }),
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    disableReverseLookup: true,
    closeTimeout: 500,
    onConnect: (_session, done) => {
      sink.connections++
      done()
    },
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.pass
        ? done(null, { user: username })
        : done(Object.assign(new Error(`Wrong password for ${username}`), { responseCode: 535 })),
    onMailFrom: (_address, _session, done) => done(refusalAt('from')),
    onRcptTo: (_address, _session, done) => done(refusalAt('rcpt')),
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of stream) chunks.push(chunk as Buffer)
      } catch (error) {
        // The sender was killed during the delivery.
        return done(error as Error)
      }
      const refusal = refusalAt('data')
      if (refusal) return done(refusal)
      const raw = Buffer.concat(chunks).toString()
      const { mailFrom, rcptTo } = session.envelope
      const mail: Received = {
        ...mailParts(raw),
        raw,
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        isSecure: Boolean(session.secure),
        user: session.user as string | undefined,
      }
      sink.mails.push(mail)
      await sink.onMail?.(mail)
      done()
    },
  })
  // Some tests disconnect clients during a delivery.
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const listeningPort = (server.server.address() as AddressInfo).port
  const sink: Sink = {
    port: listeningPort,
    url: `smtp://127.0.0.1:${listeningPort}`,
    mails: [],
    connections: 0,
    refuse: (...refusals) => void waiting.push(...refusals),
    onMail: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return sink
}
