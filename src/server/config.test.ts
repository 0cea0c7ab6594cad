import { describe, expect, test } from 'vitest'
import { readConfig, settingNames } from './config.ts'

describe('the panel configuration', () => {
  test.each([
    'ftp://panel.example',
    'panel.example',
    'http://',
    'http://user@panel.example',
    'http://u:canary@panel.example/',
    'http://panel.example/?a=1#b',
  ])('rejects the address %s without repeating it in the message', (PANEL_URL) => {
    const read = () => readConfig({ PANEL_URL })
    expect(read).toThrow(/PANEL_URL must/)
    expect(read).not.toThrow(/canary/)
  })

  test.each([
    { PANEL_ALLOW_PRIVATE: 'yes' },
    { PANEL_USER_AGENT: 'a\r\nb' },
    { PANEL_NEVER_EXPIRES: '1773864593, never' },
  ])('rejects %j', (env) => {
    expect(() => readConfig(env)).toThrow(Object.keys(env)[0])
  })

  test('is undefined without an address', () => {
    expect(readConfig({ PANEL_URL: '', PANEL_ALLOW_PRIVATE: 'true' }).panel).toBeUndefined()
  })

  test('may have a private address only with PANEL_ALLOW_PRIVATE', () => {
    expect(readConfig({ PANEL_URL: 'http://panel.example:25461/c/' }).panel).toMatchObject({
      url: 'http://panel.example:25461/c',
      allowPrivate: false,
      neverExpires: [],
    })
    const env = {
      PANEL_URL: 'https://10.0.0.7',
      PANEL_ALLOW_PRIVATE: 'true',
      PANEL_USER_AGENT: 'Sauce',
      PANEL_NEVER_EXPIRES: '1773864593,1',
    }
    expect(readConfig(env).panel).toEqual({
      url: 'https://10.0.0.7',
      allowPrivate: true,
      userAgent: 'Sauce',
      neverExpires: [1773864593, 1],
    })
  })
})

describe('the mail configuration', () => {
  test('reports all errors together without repeating the password', () => {
    const read = () => readConfig({ SMTP_URL: 'smtp://sauce:canary@mail.example/box', PORT: 'x' })
    expect(read).toThrow(/PORT must[\s\S]*SMTP_URL must[\s\S]*MAIL_FROM must be set/)
    expect(read).not.toThrow(/canary/)
    expect(() => readConfig({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'nobody' })).toThrow(
      /MAIL_FROM must be an email address/,
    )
  })

  test('is undefined unless SMTP_URL is set', () => {
    expect(readConfig({ SMTP_URL: '', MAIL_FROM: 'tv@mail.example' }).smtp).toBeUndefined()
    expect(readConfig({ SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'Harbour TV <tv@mail.example>' }).smtp).toEqual({
      host: 'mail.example',
      port: 465,
      tls: 'implicit',
      auth: undefined,
      from: { name: 'Harbour TV', address: 'tv@mail.example' },
    })
  })
})

describe('the number of processes', () => {
  test('is 1 by default; `auto` is the number of cores', () => {
    expect(readConfig({}).processes).toBe(1)
    expect(readConfig({ PROCESSES: '4' }).processes).toBe(4)
    expect(readConfig({ PROCESSES: 'auto' }).processes).toBeGreaterThanOrEqual(1)
  })

  test.each(['0', '-1', '65', 'two', '1.5'])('cannot be %s', (PROCESSES) => {
    expect(() => readConfig({ PROCESSES })).toThrow('PROCESSES must be auto or 1 to 64')
  })
})

test('a pooler and a replica require DATABASE_URL', () => {
  const read = () => readConfig({ DATABASE_DIRECT_URL: 'postgres://a/b', DATABASE_REPLICA_URL: 'postgres://a/b' })
  expect(read).toThrow(/DATABASE_DIRECT_URL requires DATABASE_URL[\s\S]*DATABASE_REPLICA_URL requires/)
})

test('the error for an invalid value says what is allowed, for every setting that is not free text', () => {
  const free = ['CHAT_WEBSITE_ID', 'CHAT_URL', 'NODE_ENV', 'HOST', 'DATA_DIR', 'JOURNAL_STREAM']
  const wrong = Object.fromEntries(settingNames.map((name) => [name, '\u0007']))
  const errors = (() => {
    try {
      return readConfig(wrong) && ''
    } catch (error) {
      return (error as Error).message
    }
  })()
  for (const name of settingNames.filter((each) => !free.includes(each)))
    expect(errors).toMatch(new RegExp(`^ {2}${name} must `, 'm'))
  expect(errors).not.toMatch(/Invalid (?!settings)/)
  expect(errors).toContain('SELF_APPROVAL must be allow or deny')
  expect(errors).toContain('CHAT_PROVIDER must be off, crisp or chatwoot')
  expect(() => readConfig({ RATE_LIMIT_FACTOR: '0' })).toThrow(
    'RATE_LIMIT_FACTOR must be a number above 0, up to 1000000',
  )
  expect(() => readConfig({ PORT: '70000' })).toThrow('PORT must be a whole number from 0 to 65535')
})

test('STREAM_HOSTS are host names, in lower case', () => {
  expect(readConfig({}).streamHosts).toEqual([])
  expect(readConfig({ STREAM_HOSTS: 'CDN.example, *.edge.example,192.0.2.7' }).streamHosts).toEqual([
    'cdn.example',
    '*.edge.example',
    '192.0.2.7',
  ])
  for (const STREAM_HOSTS of ['http://cdn.example', 'cdn.example:80', '*', 'a.*.example', 'cdn.example,'])
    expect(() => readConfig({ STREAM_HOSTS })).toThrow('STREAM_HOSTS must be host names, separated by commas')
})

describe('an https PUBLIC_URL', () => {
  test.each([{}, { TRUST_PROXY: '0' }, { TRUST_PROXY: '' }])(
    'is rejected with %j: all visitors would share the IP address of the proxy',
    (more) => {
      const read = () => readConfig({ PUBLIC_URL: 'https://tv.example', ...more })
      expect(read).toThrow(/^Invalid settings:\n {2}TRUST_PROXY must be 1 or more with an https PUBLIC_URL: [^\n]+$/)
    },
  )

  test('is accepted with a proxy, and an http PUBLIC_URL without one', () => {
    expect(readConfig({ PUBLIC_URL: 'https://tv.example', TRUST_PROXY: '1' })).toMatchObject({
      hasPublicUrl: true,
      secureCookies: true,
      hsts: 'on',
    })
    expect(readConfig({ PUBLIC_URL: 'http://tv.example' })).toMatchObject({ hasPublicUrl: true, secureCookies: false })
    expect(readConfig({ HSTS: 'preload' })).toMatchObject({ hasPublicUrl: false, hsts: 'preload' })
    expect(() => readConfig({ HSTS: 'yes' })).toThrow('HSTS must be off, on, subdomains or preload')
  })
})
