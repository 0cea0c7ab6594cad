import type { GrantablePermission } from '#kit/permissions.ts'

/** The labels of the permissions, in the groups in which role and API key forms show them. */
export const permissionGroups: readonly { label: string; permissions: Partial<Record<GrantablePermission, string>> }[] =
  [
    {
      label: 'Customers',
      permissions: {
        'customers.read': 'See customers, their subscriptions and their history',
        'customers.edit': 'Create customers and write notes about them',
        'customers.access': 'Reset passwords and two-step verification of customers',
        'customers.view_as': 'View the site as a customer',
        'subscriptions.edit': 'Change subscriptions and paid time',
        'announcements.read': 'See announcements and their drafts',
        'announcements.edit': 'Publish announcements on the site and email them to customers',
        'imports.read': 'See customer imports',
        'imports.edit': 'Import customers, and undo imports',
      },
    },
    {
      label: 'Requests',
      permissions: {
        'trials.read': 'See trial requests',
        'trials.decide': 'Approve and deny trial requests',
        'reports.read': 'See problem reports',
        'reports.edit': 'Handle problem reports',
        'inquiries.read': 'See inquiries',
        'inquiries.edit': 'Handle inquiries',
        'tickets.read': 'See customer tickets',
        'tickets.edit': 'Answer and assign customer tickets',
      },
    },
    {
      label: 'Money',
      permissions: {
        'invoices.read': 'See invoices and refund requests',
        'invoices.edit': 'Create orders for customers and send payment links',
        'payments.read': 'See received payments, statements and payment emails',
        'payments.decide': 'Confirm, reject and record payments, and change the status of invoices',
        'refunds.decide': 'Approve and decline refund requests',
        'credit.edit': 'Change the account credit of customers',
        'insight.read': 'See revenue and other business figures',
      },
    },
    {
      label: 'Service',
      permissions: {
        'lines.read': 'See lines and how they differ from the panel',
        'lines.edit': 'Retry, correct and move lines',
        'catalog.read': 'See plans, channels, devices, questions and setup guides',
        'catalog.edit': 'Change plans, prices, channels, devices, questions and setup guides',
        'guide.read': 'See program guide sources',
        'guide.edit': 'Change program guide sources',
        'watching.read': 'See the settings and rights for watching in the browser',
        'watching.edit': 'Change the settings and rights for watching in the browser',
      },
    },
    {
      label: 'System',
      permissions: {
        'visitors.read': 'See who is visiting the site',
        'mails.read': 'See the mail log and the email templates',
        'mails.send': 'Send emails again and send test emails',
        'mails.reveal': 'Reveal the secret links in unsent customer emails',
        'audit.read': 'See the audit log and the activity of all staff',
        'settings.read': 'See settings',
        'settings.edit': 'Change settings, the brand, the panel and the payment sources',
      },
    },
  ]
