import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getSite } from '#features/settings/contract.ts'
import { defaults } from '#features/settings/rules.ts'
import * as settings from '#features/settings/server/service.ts'
import { ApiError } from '#kit/caller.ts'
import { readConfig } from '#server/config.ts'
import { users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { type Chat, chat, getChatIdentity } from './contract.ts'
import { chatSources, noChat } from './rules.ts'
import { assertChatUsable } from './server/service.ts'

const secret = 'shared-with-the-provider'
const crisp: Chat = { provider: 'crisp', websiteId: '01234567-89ab-cdef-0123-456789abcdef', url: '' }
const chatwoot: Chat = { provider: 'chatwoot', websiteId: 'abcDEF0123456789', url: 'https://chat.example' }
const signed = (text: string) => createHmac('sha256', secret).update(text).digest('hex')

describe('a chat setting is refused', () => {
  test.each([
    ['with an invalid Crisp id', { ...crisp, websiteId: 'my-site' }],
    ['with a Chatwoot token that contains HTML', { ...chatwoot, websiteId: 'abc"><script>' }],
    ['for Chatwoot without an address', { ...chatwoot, url: '' }],
    ['with an address without TLS', { ...chatwoot, url: 'http://chat.example' }],
    ['with an address that has a path', { ...chatwoot, url: 'https://chat.example/x' }],
    [
      'with an address that would add sources to the Content-Security-Policy',
      { ...chatwoot, url: "https://chat.example 'unsafe-eval'; script-src *" },
    ],
    ['with an unknown provider', { ...crisp, provider: 'other' }],
  ])('%s', (_, value) => {
    expect(chat.safeParse(value).success).toBe(false)
  })
})

test('the app refuses to start with an incomplete chat configuration', () => {
  expect(() => assertChatUsable(readConfig({ CHAT_PROVIDER: 'chatwoot' }))).toThrow(
    /CHAT_WEBSITE_ID.*token[\s\S]*CHAT_URL/,
  )
  expect(() => assertChatUsable(readConfig({}))).not.toThrow()
})

describe('the Content-Security-Policy', () => {
  test('allows no extra sources without a chat', () => {
    expect(chatSources(noChat)).toBeNull()
  })

  test('allows one provider and inline styles, but neither inline scripts nor wildcards', () => {
    for (const one of [crisp, chatwoot]) {
      const sources = chatSources(one)!
      expect(sources['script-src']).toEqual([one.url || 'https://client.crisp.chat'])
      for (const [directive, list] of Object.entries(sources))
        for (const source of list)
          if (directive !== 'style-src' || source !== "'unsafe-inline'")
            expect(source).toMatch(/^(https|wss):\/\/[\w.]+$|^blob:$/)
    }
  })
})

describe('the signed identity for the chat', () => {
  let app: TestApp
  let customer: SignedIn
  beforeAll(async () => {
    app = await buildApp({ config: { chat: chatwoot, chatSecret: secret } })
    customer = await app.signIn({ username: 'lena', fullName: 'Lena Vogt', email: 'lena@example.org' })
  })
  afterAll(() => app.close())
  afterEach(async () => {
    await app.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, customer.user.id))
    await choose(noChat)
    Object.assign(app.context.config, { chatSecret: secret })
  })
  const choose = async (chosen: Chat) => {
    await app.db.transaction((tx) =>
      settings.writeSetting(tx, 'site', { ...defaults.site, chat: chosen }, customer.user.id),
    )
    settings.clearCache()
  }
  const verify = () =>
    app.db.update(users).set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' }).where(eq(users.id, customer.user.id))
  const identity = async () => (await customer.client.call(getChatIdentity, {})).identity

  test('is for logged-in users only and not cached', async () => {
    await expect(app.client().call(getChatIdentity, {})).rejects.toThrow(ApiError)
    expect((await customer.client.request('/api/chat/identity')).headers.get('cache-control')).toBe('no-store')
  })

  test('is null without a signing key', async () => {
    Object.assign(app.context.config, { chatSecret: undefined })
    expect(await identity()).toBeNull()
  })

  test('is a signed id for Chatwoot, with the email address once the address is verified', async () => {
    const id = `user-${customer.user.id}`
    expect(await identity()).toEqual({ id, name: 'Lena Vogt', email: null, hash: signed(id) })
    await verify()
    expect(await identity()).toMatchObject({ email: 'lena@example.org', hash: signed(id) })
  })

  test('is a signed email address for Crisp, and null until the address is verified', async () => {
    await choose(crisp)
    expect(await identity()).toBeNull()
    await verify()
    expect(await identity()).toMatchObject({ email: 'lena@example.org', hash: signed('lena@example.org') })
  })

  test('never reveals the key on the site', async () => {
    const site = await app.client().call(getSite, {})
    expect(site.chat).toEqual(chatwoot)
    expect(JSON.stringify(site)).not.toContain(secret)
  })
})
