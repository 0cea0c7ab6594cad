import { chosenChat } from '#features/chat/rules.ts'
import { implement, type Route } from '#server/http/route.ts'
import { getSetting, updateSetting } from '../admin-contract.ts'
import { getLegalText, getPaymentMethods, getSite } from '../contract.ts'
import { iconsOf, paymentMarks } from '../rules.ts'
import { legalText } from './legal-text.ts'
import { readSection, updateSection } from './sections.ts'
import * as settings from './service.ts'
import { readSiteAnnouncements } from './site-announcements.ts'
import { siteOffers } from './site-offers.ts'

export const routes: Route[] = [
  implement(getSite, async ({ db, config }) => {
    const [site, payments, offers, announced] = await Promise.all([
      settings.read(db, 'site'),
      settings.read(db, 'payments'),
      siteOffers(db),
      readSiteAnnouncements(db),
    ])
    return {
      ...site,
      ...offers,
      ...announced,
      chat: chosenChat(site.chat, config.chat),
      paymentMarks: paymentMarks(payments),
      icons: iconsOf(site.brand),
    }
  }),
  implement(getPaymentMethods, ({ db }) => settings.read(db, 'payments')),
  implement(getLegalText, async ({ db, params }) => ({ text: await legalText(db, params.document) })),
  implement(getSetting, ({ db, params }) => readSection(db, params.section)),
  implement(updateSetting, async ({ db, config, params, body, user, requestId, clearResponseCache }) => {
    const saved = await updateSection(db, params.section, body, {
      admin: user,
      requestId,
      selfApproval: config.selfApproval === 'allow',
    })
    clearResponseCache()
    return saved
  }),
]
