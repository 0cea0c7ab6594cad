import { implement, type Route } from '#server/http.ts'
import { listChannels, listDeviceCategories, listFaqs, listPlans } from '../contract.ts'
import * as catalog from './service.ts'

export const routes: Route[] = [
  implement(listPlans, ({ db }) => catalog.listPlans(db)),
  implement(listChannels, ({ db }) => catalog.listChannels(db)),
  implement(listDeviceCategories, ({ db }) => catalog.listDeviceCategories(db)),
  implement(listFaqs, ({ db }) => catalog.listFaqs(db)),
]
