import { chosenChat } from '#features/chat/rules.ts'
import { implement, type Route } from '#server/http.ts'
import { getLegalText, getPaymentMethods, getSite } from '../contract.ts'
import { legalText } from './legal-text.ts'
import * as settings from './service.ts'

export const routes: Route[] = [
  implement(getSite, async ({ db, config }) => {
    const site = await settings.read(db, 'site')
    return { ...site, chat: chosenChat(site.chat, config.chat) }
  }),
  implement(getPaymentMethods, ({ db }) => settings.read(db, 'payments')),
  implement(getLegalText, async ({ db, params }) => ({ text: await legalText(db, params.document) })),
]
