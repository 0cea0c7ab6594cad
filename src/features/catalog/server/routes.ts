import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../contract.ts'
import { adminGuideRoutes } from './admin-guide-routes.ts'
import { adminRoutes } from './admin-routes.ts'
import { importRoutes } from './import/routes.ts'
import * as catalog from './service/read-lists.ts'

export const routes: Route[] = [
  implement(contract.listPlans, ({ db }) => catalog.listPlans(db)),
  implement(contract.listChannels, ({ db }) => catalog.listChannels(db)),
  implement(contract.listDeviceCategories, ({ db }) => catalog.listDeviceCategories(db)),
  implement(contract.listFaqs, ({ db }) => catalog.listFaqs(db)),
  implement(contract.listSetupGuides, ({ db }) => catalog.listSetupGuides(db)),
  ...adminRoutes,
  ...adminGuideRoutes,
  ...importRoutes,
]
