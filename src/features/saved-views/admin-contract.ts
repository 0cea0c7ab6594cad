// Admin endpoints of saved views. A saved view is the search, filters, order and columns of an admin list under a name.
import * as z from 'zod/mini'
import { del, get, post, put } from '#kit/endpoint.ts'
import { id, idParam, rowVersion, singleLine } from '#kit/text.ts'

/** The label of a list in lower case, such as `invoices`. */
const list = z.string().check(z.regex(/^[a-z][a-z -]{1,39}$/, 'Please enter the name of a list'))
const name = singleLine(1, 60, 'Please enter a name')
/** The URL parameters of the list, without page and tab. */
const viewQuery = z.record(
  z.string().check(z.regex(/^[a-zA-Z]{1,30}$/, 'Please use only the URL parameters of the list')),
  z.string().check(z.maxLength(254, 'Please use at most 254 characters')),
)
const isShort = z.refine<Record<string, string>>(
  (query) => Object.keys(query).length <= 12,
  'Please use at most 12 parameters',
)
const hiddenColumns = z
  .array(z.string().check(z.regex(/^\w{1,40}$/, 'Please use only columns of the list')))
  .check(z.maxLength(40, 'Please use at most 40 columns'))

const fields = { name, shared: z.boolean(), query: viewQuery.check(isShort), hiddenColumns }
export const savedView = z.object({
  id,
  list: z.string(),
  name: z.string(),
  shared: z.boolean(),
  query: z.record(z.string(), z.string()),
  hiddenColumns: z.array(z.string()),
  /** Whether the caller saved the view. Only the administrator who saved a view can change or delete it. */
  isOwn: z.boolean(),
  owner: z.string(),
  version: rowVersion,
})
export type SavedView = z.output<typeof savedView>
/** The fields of the form. */
export const savedViewForm = z.object({ name, shared: z.boolean() })

export const listSavedViews = get('/api/admin/saved-views', {
  summary: "An administrator's views of a list and those that others share, by name",
  access: 'admin',
  needs: 'desk.use',
  dependsOn: ['saved_view'],
  query: z.object({ list }),
  output: z.array(savedView),
})
export const createSavedView = post('/api/admin/saved-views', {
  summary: 'Save a view of a list; audited if it is shared',
  access: 'admin',
  needs: 'desk.use',
  limit: 'adminWrite',
  body: z.object({ list, ...fields }),
  output: savedView,
})
const params = z.object({ savedViewId: idParam })
export const updateSavedView = put('/api/admin/saved-views/:savedViewId', {
  summary: "Rename, share or replace one of the administrator's own views; audited if it is or was shared",
  access: 'admin',
  needs: 'desk.use',
  limit: 'adminWrite',
  params,
  body: z.object({ ...fields, version: rowVersion }),
  output: savedView,
})
export const deleteSavedView = del('/api/admin/saved-views/:savedViewId', {
  summary: "Delete one of the administrator's own views; audited if it is shared",
  access: 'admin',
  needs: 'desk.use',
  limit: 'adminWrite',
  params,
  output: z.object({ deleted: z.boolean() }),
})
