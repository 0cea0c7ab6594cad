import { describe, expect, test } from 'vitest'
import { readSender, readSmtpUrl } from './smtp-address.ts'

describe('SMTP_URL', () => {
  test.each([
    'mail.example',
    'http://mail.example',
    'smtp://',
    'smtp://mail.example/path',
    'smtp://mail.example#x',
    'smtp://user@mail.example',
    'smtp://:secret@mail.example',
    'smtp://user:%0d%0aQUIT@mail.example',
    'smtp://user:%E0%A4@mail.example',
    'smtp://mail.example?tls=maybe',
    'smtp://mail.example?pool=true',
    'smtps://mail.example?tls=never',
  ])('%s is refused', (value) => {
    expect(readSmtpUrl(value)).toBeNull()
  })

  test.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, tls: 'offered', auth: undefined }],
    [
      'smtp://u:p%40ss@mail.example:2525',
      { host: 'mail.example', port: 2525, tls: 'required', auth: { user: 'u', pass: 'p@ss' } },
    ],
    ['smtp://u:p@127.0.0.1:25', { host: '127.0.0.1', port: 25, tls: 'offered', auth: { user: 'u', pass: 'p' } }],
    ['smtp://u:p@10.0.0.5?tls=never', { host: '10.0.0.5', port: 587, tls: 'never', auth: { user: 'u', pass: 'p' } }],
    ['smtp://[::1]:1025?tls=required', { host: '::1', port: 1025, tls: 'required', auth: undefined }],
    ['smtps://u:p@mail.example', { host: 'mail.example', port: 465, tls: 'implicit', auth: { user: 'u', pass: 'p' } }],
  ])('%s is parsed', (value, server) => {
    expect(readSmtpUrl(value)).toEqual(server)
  })
})

describe('MAIL_FROM', () => {
  test.each([
    '',
    'olive',
    'Olive',
    '<olive>',
    'A <a@b.example>, B <c@d.example>',
    'A\r\nBcc: x@y.example <a@b.example>',
    '"A <a@b.example>',
    'a@b.example c@d.example',
  ])('%j is refused', (value) => {
    expect(readSender(value)).toBeNull()
  })

  test.each([
    ['tv@b.example', { name: '', address: 'tv@b.example' }],
    [' Sauce TV <tv@b.example> ', { name: 'Sauce TV', address: 'tv@b.example' }],
    ['"Sauce, the TV" <tv@b.example>', { name: 'Sauce, the TV', address: 'tv@b.example' }],
    ['<tv@b.example>', { name: '', address: 'tv@b.example' }],
  ])('%j is parsed', (value, sender) => {
    expect(readSender(value)).toEqual(sender)
  })
})
