import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../admin-contract.ts'
import { deleteView } from './service/delete-view.ts'
import { listViews } from './service/list-views.ts'
import { createView, updateView } from './service/save-view.ts'

export const routes: Route[] = [
  implement(contract.listSavedViews, ({ db, user, query }) => listViews(db, user.id, query.list)),
  implement(contract.createSavedView, ({ db, user, body, requestId }) =>
    createView(db, body, { admin: user, requestId }),
  ),
  implement(contract.updateSavedView, ({ db, user, params, body, requestId }) =>
    updateView(db, params.savedViewId, body, { admin: user, requestId }),
  ),
  implement(contract.deleteSavedView, ({ db, user, params, requestId }) =>
    deleteView(db, params.savedViewId, { admin: user, requestId }),
  ),
]
