import { implement, type Route } from '#server/http/route.ts'
import { approverOf } from '#server/session/actor.ts'
import * as admin from '../admin-contract.ts'
import * as mailbox from '../admin-mailbox-contract.ts'
import * as processor from '../admin-processor-contract.ts'
import { btcpayEvent, stripeEvent } from '../contract.ts'
import { processors } from '../processor-rules.ts'
import { beginConnecting, finishConnecting } from './mailbox/connect-account.ts'
import { openEmail } from './mailbox/open-email.ts'
import { readSample } from './mailbox/read-sample.ts'
import { listToReview, readMailAgain, reviewMail } from './mailbox/review.ts'
import { readMailboxSettings, testMailbox, updateMailboxSettings } from './mailbox/settings.ts'
import { readMailboxStatus } from './mailbox/status.ts'
import { bookStatement } from './statements/book-statement.ts'
import { previewOf } from './statements/preview-statement.ts'
import { listStatements } from './statements/statement-files.ts'
import { withdrawStatement } from './statements/withdraw-statement.ts'
import { processorState } from './webhooks/processors.ts'
import { receiveEvent } from './webhooks/receive-event.ts'
import { listEventsToReview, reviewEvent } from './webhooks/review-events.ts'
import { addSecret, removeSecret, testBtcpay, updateProcessor } from './webhooks/set-processor.ts'

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
  implement(mailbox.getMailboxSettings, ({ db, config }) => readMailboxSettings(db, config)),
  implement(mailbox.updateMailboxSettings, ({ db, config, body, user, requestId }) =>
    updateMailboxSettings({ db, config }, body, { id: user.id, requestId }),
  ),
  implement(mailbox.testMailbox, ({ db, config, log, body, user, requestId }) =>
    testMailbox({ db, config, log }, body, { id: user.id, requestId }),
  ),
  implement(mailbox.connectMailbox, ({ db, config, user, requestId }) =>
    beginConnecting({ db, config }, { id: user.id, requestId }),
  ),
  implement(mailbox.finishMailbox, ({ db, config, body, user, requestId }) =>
    finishConnecting({ db, config }, body, { id: user.id, requestId }),
  ),
  implement(mailbox.readSampleEmail, ({ db, body }) => readSample(db, body)),
  implement(mailbox.listPaymentEmails, ({ db }) => listToReview(db)),
  implement(mailbox.reviewPaymentEmail, ({ db, params, user, requestId }) =>
    reviewMail(db, params.emailId, { admin: user, requestId }),
  ),
  implement(mailbox.readPaymentEmailAgain, ({ db, config, params, user, requestId }) =>
    readMailAgain({ db, config }, params.emailId, { admin: user, requestId }),
  ),
  implement(mailbox.openPaymentEmail, ({ db, config, params, user, requestId }) =>
    openEmail({ db, config }, params.emailId, { admin: user, requestId }),
  ),
  implement(stripeEvent, ({ body, ...ctx }) => receiveEvent(ctx, 'stripe', { bytes: body, ...ctx })),
  implement(btcpayEvent, ({ body, ...ctx }) => receiveEvent(ctx, 'btcpay', { bytes: body, ...ctx })),
  implement(processor.listProcessors, ({ db, config }) =>
    Promise.all(processors.map((name) => processorState(db, config, name))),
  ),
  implement(processor.updateProcessor, ({ params, body, user, requestId, ...ctx }) =>
    updateProcessor(ctx, params.processor, body, { admin: user, requestId }),
  ),
  implement(processor.addProcessorSecret, ({ params, body, user, caller, requestId, ...ctx }) =>
    addSecret(ctx, params.processor, body, user, { caller, requestId }),
  ),
  implement(processor.removeProcessorSecret, ({ params, user, requestId, ...ctx }) =>
    removeSecret(ctx, params.processor, params.secretId, { admin: user, requestId }),
  ),
  implement(processor.testBtcpay, ({ body, user, requestId, ...ctx }) =>
    testBtcpay(ctx, body, { admin: user, requestId }),
  ),
  implement(processor.listPaymentEvents, ({ db }) => listEventsToReview(db)),
  implement(processor.reviewPaymentEvent, ({ db, params, user, requestId }) =>
    reviewEvent(db, params.eventId, { admin: user, requestId }),
  ),
]
