import type { Template } from './template.ts'
import { accountCreated } from './templates/account-created.ts'
import { accountMoved, accountMovedPassword } from './templates/account-moved.ts'
import { adminNotice } from './templates/admin-notice.ts'
import { announcement, serviceAnnouncement } from './templates/announcement.ts'
import { invoiceCancelled } from './templates/billing/invoice-cancelled.ts'
import { orderCreated } from './templates/billing/order-created.ts'
import { orderReceived } from './templates/billing/order-received.ts'
import { orderWaiting } from './templates/billing/order-waiting.ts'
import { paymentConfirmed } from './templates/billing/payment-confirmed.ts'
import { paymentLink } from './templates/billing/payment-link.ts'
import { paymentRejected } from './templates/billing/payment-rejected.ts'
import { paymentReversed } from './templates/billing/payment-reversed.ts'
import { paymentShort } from './templates/billing/payment-short.ts'
import { planChangeApplied } from './templates/billing/plan-change-applied.ts'
import { planChangeRequested } from './templates/billing/plan-change-requested.ts'
import { refundDecided } from './templates/billing/refund-decided.ts'
import { refundRequested } from './templates/billing/refund-requested.ts'
import { renewalInvoice } from './templates/billing/renewal-invoice.ts'
import { daysAdded } from './templates/days-added.ts'
import { deviceAdded } from './templates/device-added.ts'
import { emailChanged } from './templates/email-changed.ts'
import { lineMoved } from './templates/line-moved.ts'
import { lineReady } from './templates/line-ready.ts'
import { mailServerTest } from './templates/mail-server-test.ts'
import { newLogin } from './templates/new-login.ts'
import { passkeyChanged } from './templates/passkey-changed.ts'
import { passwordChanged } from './templates/password-changed.ts'
import { passwordReset } from './templates/password-reset.ts'
import { passwordResetByAdmin } from './templates/password-reset-by-admin.ts'
import { programStarting } from './templates/program-starting.ts'
import { reportResolved } from './templates/report-resolved.ts'
import { subscriptionChanged } from './templates/subscription-changed.ts'
import { subscriptionExpired } from './templates/subscription-expired.ts'
import { subscriptionExpiring } from './templates/subscription-expiring.ts'
import { ticketReply } from './templates/ticket-reply.ts'
import { trialApproved } from './templates/trial-approved.ts'
import { trialDenied } from './templates/trial-denied.ts'
import { trialEnding } from './templates/trial-ending.ts'
import { twoFactorChanged } from './templates/two-factor-changed.ts'
import { verifyEmail } from './templates/verify-email.ts'
import { welcome } from './templates/welcome.ts'

/** Every email the app sends, by the template name stored in the outbox. To add a template, add a file and an entry here. */
export const templates = {
  welcome,
  account_created: accountCreated,
  verify_email: verifyEmail,
  password_reset: passwordReset,
  password_reset_by_admin: passwordResetByAdmin,
  password_changed: passwordChanged,
  email_changed: emailChanged,
  new_login: newLogin,
  two_factor_changed: twoFactorChanged,
  passkey_changed: passkeyChanged,
  device_added: deviceAdded,
  admin_notice: adminNotice,
  mail_server_test: mailServerTest,
  order_created: orderCreated,
  order_received: orderReceived,
  order_waiting: orderWaiting,
  payment_link: paymentLink,
  payment_confirmed: paymentConfirmed,
  payment_rejected: paymentRejected,
  payment_short: paymentShort,
  payment_reversed: paymentReversed,
  invoice_cancelled: invoiceCancelled,
  account_moved: accountMoved,
  account_moved_password: accountMovedPassword,
  line_ready: lineReady,
  line_moved: lineMoved,
  plan_change_requested: planChangeRequested,
  plan_change_applied: planChangeApplied,
  days_added: daysAdded,
  subscription_changed: subscriptionChanged,
  subscription_expiring: subscriptionExpiring,
  subscription_expired: subscriptionExpired,
  renewal_invoice: renewalInvoice,
  trial_approved: trialApproved,
  trial_denied: trialDenied,
  trial_ending: trialEnding,
  program_starting: programStarting,
  announcement,
  service_announcement: serviceAnnouncement,
  report_resolved: reportResolved,
  ticket_reply: ticketReply,
  refund_requested: refundRequested,
  refund_decided: refundDecided,
} as const satisfies Record<string, Template>

export type MailName = keyof typeof templates
/** The data that each template needs. The data must never contain a secret. */
export type MailData = { [N in MailName]: (typeof templates)[N]['sample'] }

export const isMailName = (name: string): name is MailName => Object.hasOwn(templates, name)
