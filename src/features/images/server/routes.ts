import { implement, type Route } from '#server/http/route.ts'
import * as admin from '../admin-contract.ts'
import { getImage } from '../contract.ts'
import { readImage, uploadImage } from './image-store.ts'

export const routes: Route[] = [
  implement(getImage, ({ db, params }) => readImage(db, params.file)),
  implement(admin.uploadImage, ({ db, body, query, user, requestId }) =>
    uploadImage(db, body, query.use, { id: user.id, requestId }),
  ),
]
