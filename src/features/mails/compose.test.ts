import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settingsByKey } from '#features/settings/contract.ts'
import { defaults } from '#features/settings/rules.ts'
import * as settings from '#features/settings/server/service.ts'
import { mailBodyText } from '#kit/mail-body.ts'
import { testConfig } from '../../../test/harness/app.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { compose } from './server/service/compose.ts'
import { type MailName, templates } from './server/templates.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const names = Object.keys(templates) as MailName[]
const sample = (template: MailName, userId: number | null = null) => ({
  template,
  data: templates[template].sample,
  userId,
})

describe('composing an email fails', () => {
  test.each(['nothing', 'toString', '__proto__', ''])('for the unknown template %j', async (template) => {
    await expect(compose(database.db, testConfig, { template, data: {}, userId: null })).rejects.toThrow(/no template/)
  })

  const namesWithRequiredData: MailName[] = [
    'welcome',
    'email_changed',
    'order_received',
    'payment_confirmed',
    'subscription_changed',
    'subscription_expiring',
    'refund_decided',
  ]
  test.each(namesWithRequiredData)('for %s without its required data', async (template) => {
    await expect(compose(database.db, testConfig, { ...sample(template), data: {} })).rejects.toThrow()
  })
})

describe.each(names)('%s', (name) => {
  test('has a complete subject, preview and plain text', async () => {
    const { mailBody } = await compose(database.db, testConfig, sample(name))
    const text = mailBodyText(mailBody)
    expect(text).not.toMatch(/undefined|null|NaN|\[object/)
    expect(mailBody.subject.length).toBeLessThanOrEqual(90)
    expect(mailBody.preview).not.toBe('')
    for (const block of mailBody.blocks) if (block.kind === 'button') expect(block.url).toMatch(/^https?:\/\//)
  })

  test('contains a token link only when one is passed in', async () => {
    const { mailBody } = await compose(database.db, testConfig, sample(name))
    expect(mailBodyText(mailBody)).not.toContain('token=')
    const withLink = await compose(database.db, testConfig, sample(name), '/verify-email?token=canary')
    expect(mailBodyText(withLink.mailBody).includes(`${testConfig.publicUrl}/verify-email?token=canary`)).toBe(
      Boolean(templates[name].linksTo),
    )
  })
})

test('uses the operator’s brand, address and payment handles', async () => {
  const admin = await createUser(database.db, { role: 'admin' })
  await database.db.transaction(async (tx) => {
    const site = { ...defaults.site, brand: { ...defaults.site.brand, name: 'Harbour TV\r\nBcc: all@example.org' } }
    await settings.writeSetting(tx, 'site', settingsByKey.site.parse(site), admin.id)
    await settings.writeSetting(
      tx,
      'payments',
      { ...defaults.payments, cashtag: '$HarbourTV', notePrefix: 'HTV ' },
      admin.id,
    )
  })
  settings.clearCache()
  const { mailBody } = await compose(database.db, testConfig, sample('order_received', admin.id))
  const text = mailBodyText(mailBody)
  for (const expected of [
    `Hi ${admin.username},`,
    '$HarbourTV',
    'HTV ORD-7K2M9Q',
    '$24.99',
    'Harbour TV Bcc: all@example.org\n',
  ])
    expect(text).toContain(expected)
  const { mailBody: welcome } = await compose(database.db, testConfig, sample('welcome'))
  expect(welcome.subject).toBe('Welcome to Harbour TV Bcc: all@example.org')
})
