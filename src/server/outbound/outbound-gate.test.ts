import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { smtp } from '../mail/smtp.ts'
import { Outbound } from './outbound.ts'
import { holdOutbound, isOutboundHeld } from './outbound-gate.ts'

const source = join(import.meta.dirname, '../..')
/** Code that makes network connections to other machines. */
const outboundCode =
  /from '(nodemailer|undici|ws|node:(https|http2|tls|dgram))'|\bhttps?\b\)?\.request\(|(?<![.\w])fetch\(|new WebSocket\(/

afterEach(async () => {
  holdOutbound(async () => false)
  await isOutboundHeld()
})

test('the gate stays closed while the check returns true or fails, and does not check again once it is open', async () => {
  const checks = [
    async () => true,
    () => Promise.reject(new Error('database unavailable')),
    async () => false,
    async () => true,
  ]
  let count = 0
  holdOutbound(() => checks[count++]!())
  expect([
    await isOutboundHeld(),
    await isOutboundHeld(),
    await isOutboundHeld(),
    await isOutboundHeld(),
    count,
  ]).toEqual([true, true, false, false, 3])
})

test('outbound calls and emails check the gate themselves', async () => {
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
    name: 'MailSendError',
    final: false,
    message: expect.stringContaining('not live'),
  })
})

test('only these modules open network connections to other machines', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(server|features\/[^/]+\/server)\/.*(?<!\.test)\.ts$/.test(file),
  )
  expect(files.length).toBeGreaterThan(200)
  expect(files.filter((file) => outboundCode.test(readFileSync(join(source, file), 'utf8'))).toSorted()).toEqual([
    // These two files contain scripts, as strings, that run in the browser.
    'features/self-check/server/host-script.ts',
    'features/watch/server/direct/loader-script.ts',
    'server/live/connection.ts',
    'server/live/socket.ts',
    'server/mail/smtp.ts',
    'server/outbound/forward.ts',
    'server/outbound/open-stream.ts',
    'server/outbound/outbound.ts',
  ])
})
