import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { localCertificate } from '../../../test/harness/certificate.ts'
import { header } from '../../../test/harness/mail-parts.ts'
import { type Sink, startSink } from '../../../test/harness/smtp-sink.ts'
import { MailSendError, type Message, smtp } from './smtp.ts'
import { readSmtpUrl, type SmtpServer } from './smtp-address.ts'

const from = { name: '', address: 'mail@saucetv.example' }
const message = (overrides: Partial<Message> = {}): Message => ({
  messageId: '<one@saucetv.example>',
  brand: 'SauceTV',
  to: 'olive@example.org',
  replyTo: 'support@saucetv.example',
  subject: 'Hello',
  text: 'Plain words',
  html: '<p>Words</p>',
  attachments: [],
  ...overrides,
})
const timeouts = { connectMs: 2_000, silenceMs: 2_000, totalMs: 4_000 }
const relay = (url: string): SmtpServer => readSmtpUrl(url)!
const send = (url: string, overrides: Partial<Message> = {}, sender = from, ca?: string) =>
  smtp({ ...relay(url), from: sender, ...(ca && { ca }) }, { timeouts }).send(message(overrides))

let sink: Sink
beforeAll(async () => {
  sink = await startSink()
})
afterAll(() => sink.close())

describe('a server that does not accept an email', () => {
  test.each([
    ['from', 550, true],
    ['rcpt', 550, true],
    ['data', 554, true],
    ['from', 451, false],
    ['rcpt', 450, false],
    ['data', 421, false],
  ] as const)('is reported if it refuses %s with %i; final: %s', async (at, code, final) => {
    sink.refuse({ at, code, message: 'no such luck' })
    const error = await send(sink.url).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(MailSendError)
    expect(error).toMatchObject({ final, message: expect.stringContaining(String(code)) })
  })

  test('because it is unreachable causes a retry', async () => {
    const stopped = await startSink()
    await stopped.close()
    await expect(send(stopped.url)).rejects.toMatchObject({
      final: false,
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test.each(['sends nothing', 'sends single bytes slowly', 'disconnects'])(
    'because it %s causes a retry',
    async (behavior) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket.resume())
        socket.on('error', () => undefined)
        if (behavior === 'disconnects') socket.destroy()
        if (behavior !== 'sends single bytes slowly') return
        socket.write('220 ready\r\n')
        const drip = setInterval(() => socket.write('2'), 50)
        socket.on('close', () => clearInterval(drip))
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
      const { port } = server.address() as AddressInfo
      const config = { ...relay(`smtp://127.0.0.1:${port}`), from }
      const shortTimeouts = { connectMs: 300, silenceMs: 300, totalMs: 600 }
      await expect(smtp(config, { timeouts: shortTimeouts }).send(message())).rejects.toMatchObject({
        name: 'MailSendError',
        final: false,
      })
      await vi.waitFor(() =>
        expect([...sockets].filter((socket) => !socket.destroyed && !socket.readableEnded)).toEqual([]),
      )
    },
  )

  test('because of a wrong password causes a retry, and the error does not contain the password', async () => {
    const tls = localCertificate()
    const locked = await startSink({ tls, login: { user: 'sauce', pass: 'right' } })
    onTestFinished(() => locked.close())
    const error = (await send(`smtp://sauce:canary-password@localhost:${locked.port}`, {}, from, tls.cert).catch(
      (thrown: unknown) => thrown,
    )) as MailSendError
    expect(error).toMatchObject({ name: 'MailSendError', final: false, message: expect.stringContaining('535') })
    expect(error.message).not.toMatch(/canary-password|sauce\b/)
  })
})

describe('TLS', () => {
  const tls = localCertificate()

  test.each([
    ['an untrusted certificate', `smtps://localhost`, { tls: { ...tls, implicit: true } }, undefined],
    ['missing STARTTLS with tls=required', `smtp://localhost`, {}, '?tls=required'],
  ])('%s fails without sending anything', async (_what, address, options, query = '') => {
    const server = await startSink(options)
    onTestFinished(() => server.close())
    await expect(send(`${address}:${server.port}${query}`)).rejects.toMatchObject({ final: false })
    expect(server.mails).toEqual([])
  })

  test.each([
    ['from the first byte', 'smtps', true],
    ['by STARTTLS', 'smtp', false],
  ])('%s, with user and password', async (_how, scheme, implicit) => {
    const server = await startSink({ tls: { ...tls, implicit }, login: { user: 'a@b', pass: 'p:@/ß' } })
    onTestFinished(() => server.close())
    await send(`${scheme}://a%40b:p%3A%40%2F%C3%9F@localhost:${server.port}`, {}, from, tls.cert)
    expect(server.mails).toMatchObject([{ isSecure: true, user: 'a@b' }])
  })
})

describe('a sent email', () => {
  test('has text, HTML and attachments, the brand as sender name, its own Message-ID and Reply-To', async () => {
    const file = {
      filename: 'Invoice-ORD-123456.pdf',
      content: Buffer.from('%PDF-canary'),
      contentType: 'application/pdf',
    }
    await send(sink.url, { subject: 'Grüße, 12 €', attachments: [file] })
    const mail = sink.mails.at(-1)!
    expect(mail).toMatchObject({
      from: from.address,
      to: ['olive@example.org'],
      html: '<p>Words</p>',
      files: [{ name: file.filename, bytes: file.content }],
    })
    expect(mail.text.trim()).toBe('Plain words')
    expect([
      header(mail, 'subject'),
      header(mail, 'from'),
      header(mail, 'reply-to'),
      header(mail, 'message-id'),
      header(mail, 'auto-submitted'),
    ]).toEqual([
      'Grüße, 12 €',
      'SauceTV <mail@saucetv.example>',
      'support@saucetv.example',
      '<one@saucetv.example>',
      'auto-generated',
    ])
  })

  const breaks = [
    '\r\nBcc: evil@example.org',
    '\nBcc: evil@example.org',
    '\r\n\r\n<script>',
    '\u2028Bcc: evil@example.org',
    '\0',
    '"; evil@example.org',
    '<evil@example.org>,',
  ]
  test.each(breaks)('has no additional header if a field contains %j', async (text) => {
    await send(sink.url, { subject: `Hello${text}`, brand: `Sauce${text}` })
    await send(sink.url, { subject: `Hello${text}` }, { name: `Sauce${text}`, address: from.address })
    for (const mail of sink.mails.slice(-2)) {
      expect([...mail.headers.keys()].toSorted()).toEqual(
        [
          'auto-submitted',
          'content-type',
          'date',
          'from',
          'message-id',
          'mime-version',
          'reply-to',
          'subject',
          'to',
          'x-auto-response-suppress',
        ].toSorted(),
      )
      expect(mail.to).toEqual(['olive@example.org'])
      expect(mail.headers.get('from')).toEqual([expect.stringContaining('<mail@saucetv.example>')])
    }
  })

  test.each(breaks.slice(0, 4))('goes to no other recipient if the address contains %j', async (text) => {
    const before = sink.mails.length
    await send(sink.url, { to: `olive@example.org${text}` }).catch((error: MailSendError) =>
      expect(error.final).toBe(true),
    )
    for (const mail of sink.mails.slice(before)) expect(mail.to).toHaveLength(1)
    for (const mail of sink.mails.slice(before)) expect([...mail.headers.keys()]).not.toContain('bcc')
  })
})
