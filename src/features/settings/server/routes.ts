import { implement, type Route } from '#server/http.ts'
import { getPaymentMethods, getSite } from '../contract.ts'
import * as settings from './service.ts'

export const routes: Route[] = [
  implement(getSite, ({ db }) => settings.read(db, 'site')),
  implement(getPaymentMethods, ({ db }) => settings.read(db, 'payments')),
]
