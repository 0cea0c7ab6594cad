import { implement } from '#server/http/route.ts'
import { approverOf } from '#server/session/actor.ts'
import * as admin from '../admin-contract.ts'
import { bookStatement } from './statements/book-statement.ts'
import { previewOf } from './statements/preview-statement.ts'
import { listStatements } from './statements/statement-files.ts'
import { withdrawStatement } from './statements/withdraw-statement.ts'

export const routes = [
  implement(admin.previewStatement, ({ db, body, query }) => previewOf(db, { ...query, bytes: body })),
  implement(admin.bookStatement, ({ body, query: { skipUnreadable, ...query }, ...ctx }) =>
    bookStatement(ctx.db, { ...query, bytes: body, skipUnreadable: skipUnreadable === 'true' }, approverOf(ctx)),
  ),
  implement(admin.listStatements, ({ db }) => listStatements(db)),
  implement(admin.withdrawStatement, ({ params, ...ctx }) =>
    withdrawStatement(ctx.db, params.statementId, approverOf(ctx)),
  ),
]
