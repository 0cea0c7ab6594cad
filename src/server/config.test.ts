import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

describe('the panel', () => {
  test.each(['ftp://panel.example', 'panel.example', 'http://', 'http://user@panel.example', 'http://u:canary@panel.example/', 'http://panel.example/?a=1#b'])(
    'is not taken from an address such as %s, which the complaint does not repeat',
    (PANEL_URL) => {
      const read = () => readConfig({ PANEL_URL })
      expect(read).toThrow(/PANEL_URL must/)
      expect(read).not.toThrow(/canary/)
    },
  )

  test.each([{ PANEL_ALLOW_PRIVATE: 'yes' }, { PANEL_USER_AGENT: 'a\r\nb' }, { PANEL_NEVER_EXPIRES: '1773864593, never' }])('%j is refused', (env) => {
    expect(() => readConfig(env)).toThrow(Object.keys(env)[0])
  })

  test('is none without an address', () => {
    expect(readConfig({ PANEL_URL: '', PANEL_ALLOW_PRIVATE: 'true' }).panel).toBeUndefined()
  })

  test('may have no private address, unless that is said', () => {
    expect(readConfig({ PANEL_URL: 'http://panel.example:25461/c/' }).panel).toMatchObject({
      url: 'http://panel.example:25461/c',
      allowPrivate: false,
      neverExpires: [],
    })
    const given = { PANEL_URL: 'https://10.0.0.7', PANEL_ALLOW_PRIVATE: 'true', PANEL_USER_AGENT: 'Sauce', PANEL_NEVER_EXPIRES: '1773864593,1' }
    expect(readConfig(given).panel).toEqual({ url: 'https://10.0.0.7', allowPrivate: true, userAgent: 'Sauce', neverExpires: [1773864593, 1] })
  })
})

describe('the mail server', () => {
  test('is refused with every complaint at once, none of which repeats the password', () => {
    const read = () => readConfig({ SMTP_URL: 'smtp://sauce:canary@mail.example/box', PORT: 'x' })
    expect(read).toThrow(/PORT must[\s\S]*SMTP_URL must[\s\S]*MAIL_FROM must be set/)
    expect(read).not.toThrow(/canary/)
    expect(() => readConfig({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'nobody' })).toThrow(/MAIL_FROM must be an e-mail address/)
  })

  test('is none unless it is set', () => {
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
  test('is one unless it is said, or that of the cores', () => {
    expect(readConfig({}).processes).toBe(1)
    expect(readConfig({ PROCESSES: '4' }).processes).toBe(4)
    expect(readConfig({ PROCESSES: 'auto' }).processes).toBeGreaterThanOrEqual(1)
  })

  test.each(['0', '-1', '65', 'two', '1.5'])('is not %s', (PROCESSES) => {
    expect(() => readConfig({ PROCESSES })).toThrow('PROCESSES must be auto or 1 to 64')
  })
})

test('a pooler and a replica belong to a server that is named', () => {
  const read = () => readConfig({ DATABASE_DIRECT_URL: 'postgres://a/b', DATABASE_REPLICA_URL: 'postgres://a/b' })
  expect(read).toThrow(/DATABASE_DIRECT_URL belongs to DATABASE_URL[\s\S]*DATABASE_REPLICA_URL belongs/)
})
