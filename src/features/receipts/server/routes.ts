import { implement, type Route } from '#server/http/route.ts'
import { approverOf } from '#server/session/actor.ts'
import * as admin from '../admin-contract.ts'
import * as mailbox from '../admin-mailbox-contract.ts'
import { readSample } from './mailbox/read-sample.ts'
import { listToReview, readMailAgain, reviewMail } from './mailbox/review.ts'
import { readMailboxSettings, testMailbox, updateMailboxSettings } from './mailbox/settings.ts'
import { readMailboxStatus } from './mailbox/status.ts'
import { bookStatement } from './statements/book-statement.ts'
import { previewOf } from './statements/preview-statement.ts'
import { listStatements } from './statements/statement-files.ts'
import { withdrawStatement } from './statements/withdraw-statement.ts'

export const routes: Route[] = [
  implement(admin.previewStatement, ({ db, body, query }) => previewOf(db, { ...query, bytes: body })),
  implement(admin.bookStatement, ({ body, query: { skipUnreadable, ...query }, ...ctx }) =>
    bookStatement(ctx.db, { ...query, bytes: body, skipUnreadable: skipUnreadable === 'true' }, approverOf(ctx)),
  ),
  implement(admin.listStatements, ({ db }) => listStatements(db)),
  implement(admin.withdrawStatement, ({ params, ...ctx }) =>
    withdrawStatement(ctx.db, params.statementId, approverOf(ctx)),
  ),
  implement(mailbox.getMailbox, ({ db }) => readMailboxStatus(db)),
  implement(mailbox.getMailboxSettings, ({ db }) => readMailboxSettings(db)),
  implement(mailbox.updateMailboxSettings, ({ db, config, body, user, requestId }) =>
    updateMailboxSettings({ db, config }, body, { id: user.id, requestId }),
  ),
  implement(mailbox.testMailbox, ({ db, config, log, body, user, requestId }) =>
    testMailbox({ db, config, log }, body, { id: user.id, requestId }),
  ),
  implement(mailbox.readSampleEmail, ({ db, body }) => readSample(db, body)),
  implement(mailbox.listPaymentEmails, ({ db }) => listToReview(db)),
  implement(mailbox.reviewPaymentEmail, ({ db, params, user, requestId }) =>
    reviewMail(db, params.emailId, { admin: user, requestId }),
  ),
  implement(mailbox.readPaymentEmailAgain, ({ db, config, params, user, requestId }) =>
    readMailAgain({ db, config }, params.emailId, { admin: user, requestId }),
  ),
]
