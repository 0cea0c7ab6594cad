import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { smtp } from '../mail/smtp.ts'
import { Outbound } from './outbound.ts'
import { holdOutbound, isOutboundHeld } from './outbound-gate.ts'

const source = join(import.meta.dirname, '../..')
/** How server code may speak to another machine. */
const exit =
  /from '(nodemailer|undici|ws|node:(https|http2|tls|dgram))'|\bhttps?\b\)?\.request\(|(?<![.\w])fetch\(|new WebSocket\(/

afterEach(async () => {
  holdOutbound(async () => false)
  await isOutboundHeld()
})

test('the gate stays closed while the answer is yes or cannot be read, and is not asked again once it is open', async () => {
  const answers = [
    async () => true,
    () => Promise.reject(new Error('the database is away')),
    async () => false,
    async () => true,
  ]
  let asked = 0
  holdOutbound(() => answers[asked++]!())
  expect([
    await isOutboundHeld(),
    await isOutboundHeld(),
    await isOutboundHeld(),
    await isOutboundHeld(),
    asked,
  ]).toEqual([true, true, false, false, 3])
})

test('calls and mails ask it themselves', async () => {
  holdOutbound(async () => true)
  const outbound = new Outbound({ base: 'http://127.0.0.1:9', allowPrivate: true, userAgent: 'test' })
  await expect(outbound.get('player_api.php', {})).rejects.toMatchObject({ code: 'held' })
  const server = smtp({
    host: '127.0.0.1',
    port: 9,
    tls: 'never',
    auth: undefined,
    from: { name: '', address: 'tv@saucetv.example' },
  })
  const mail = {
    messageId: '<1@tv>',
    brand: 'TV',
    to: 'a@example.org',
    replyTo: undefined,
    subject: 's',
    text: 't',
    html: 'h',
    attachments: [],
  }
  await expect(server.send(mail)).rejects.toMatchObject({
    name: 'NotTaken',
    final: false,
    message: expect.stringContaining('not live'),
  })
})

test('there is no other way out of the server than these two, and the sockets that browsers open', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(server|features\/[^/]+\/server)\/.*(?<!\.test)\.ts$/.test(file),
  )
  expect(files.length).toBeGreaterThan(200)
  expect(files.filter((file) => exit.test(readFileSync(join(source, file), 'utf8'))).toSorted()).toEqual([
    'server/live/socket.ts',
    'server/mail/smtp.ts',
    'server/outbound/outbound.ts',
  ])
})
