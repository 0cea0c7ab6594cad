import * as z from 'zod/mini'
import { button, compactBlocks, facts, note, text } from '../mail-blocks.ts'
import { template } from '../template.ts'

const messages = {
  administrator_added: {
    subject: 'A new administrator was added',
    body: 'This account is now an administrator. It has full access to the admin area.',
  },
  staff_changed: {
    subject: 'The role of a staff member changed',
    body: 'This account now has the permissions of its role in the admin area.',
  },
  staff_role_changed: {
    subject: 'A staff role changed',
    body: 'Members with this role now have its permissions.',
  },
  payments_changed: {
    subject: 'The payment details were changed',
    body: 'Customers are now asked to pay to these accounts.',
  },
  mail_server_changed: {
    subject: 'The mail server was changed',
    body: 'All emails, including those with links to log in or to reset a password, are now sent through this server.',
  },
  second_person_changed: {
    subject: 'The limit for two administrators changed',
    body: 'One administrator can now decide about larger payments without a second one.',
  },
  api_key_created: {
    subject: 'An API key was created',
    body: 'Programs with this key can now use the admin area within its scopes.',
  },
  api_key_revoked: {
    subject: 'An API key was revoked',
    body: 'Programs with this key are refused from now on.',
  },
  mail_revealed: {
    subject: 'The secret link of an email was revealed',
    body: 'An administrator revealed the secret link of an email in the mail log.',
  },
  automation_changed: {
    subject: 'Automatic confirmation of payments changed',
    body: 'Automatic confirmation of payments was turned on or off, or set to shadow mode.',
  },
  confirmation_needed: {
    subject: 'An administrator needs your confirmation',
    body: 'Another administrator must confirm this. If you agree, do the same in the admin area within 24 hours. Otherwise, do nothing.',
  },
  processor_changed: {
    subject: 'A payment processor was changed',
    body: 'Payments that it reports are treated as proven, so check that this change was intended.',
  },
  mailbox_quiet: {
    subject: 'No payment emails for three days',
    body: 'The payment mailbox is checked, but no payment email has arrived for three days, although before that one arrived on most days. Check whether your payment services still write to it, and whether a filter moves their emails.',
  },
  payment_email_forged: {
    subject: 'A forged payment email arrived',
    body: 'An email that claims to be from a payment service has no valid signature of that service. Nothing was recorded from it, and no payment was confirmed. Do not act on such emails. This notice is sent at most once a day.',
  },
  webhook_paused: {
    subject: 'A webhook is paused',
    body: 'Its notices could not be delivered, so no more are sent. Check its address and resume it under Settings, Webhooks.',
  },
  mailbox_paused: {
    subject: 'The payment mailbox is paused',
    body: 'Its mail server refused the login, so payment emails are not read. Enter the password again, or connect the account again, under Settings, Payment Mailbox.',
  },
}

/** The cause of events that no administrator caused. */
const bySystem: Partial<Record<keyof typeof messages, string>> = {
  automation_changed: 'the app, automatically',
  payment_email_forged: 'the sender of the email',
}

export const adminNotice = template({
  title: 'Notice to administrators',
  data: z.object({
    username: z.optional(z.string()),
    event: z.enum([
      'administrator_added',
      'staff_changed',
      'staff_role_changed',
      'payments_changed',
      'mail_revealed',
      'confirmation_needed',
      'mailbox_paused',
      'automation_changed',
      'processor_changed',
      'mailbox_quiet',
      'payment_email_forged',
      'mail_server_changed',
      'second_person_changed',
      'webhook_paused',
      'api_key_created',
      'api_key_revoked',
    ]),
    about: z.string(),
    by: z.nullable(z.string()),
  }),
  sample: { username: 'olive', event: 'administrator_added', about: 'Administrator: pat', by: 'chief' },
  write: ({ event, about, by }, { brand, origin }) => ({
    subject: `${messages[event].subject} at ${brand}`,
    preview: messages[event].body,
    heading: messages[event].subject,
    blocks: compactBlocks(
      text(messages[event].body),
      ...(event === 'mailbox_paused' || event === 'mailbox_quiet'
        ? [facts(['Mailbox', about]), button('Open the settings', `${origin}/admin/settings?section=mailbox`)]
        : event === 'webhook_paused'
          ? [facts(['Webhook', about]), button('Open the settings', `${origin}/admin/settings?section=webhooks`)]
          : [
              facts(['Details', about], ['By', by ?? bySystem[event] ?? 'the command line']),
              note('If you do not recognize this, check the audit log and the list of administrators.', 'warn'),
              button('Open the audit log', `${origin}/admin/audit`),
            ]),
    ),
  }),
})
