import type { SetupStep } from '#features/desk/admin-overview-contract.ts'

interface StepText {
  title: string
  /** Why the step matters; shown while it is open. */
  open: string
  done: string
  /** Where it is set; undefined for environment variables. */
  action?: { label: string; to: string; search?: object }
}

export const setupTexts: Record<SetupStep, StepText> = {
  brand: {
    title: 'Brand',
    open: 'The name, logo and color that customers see.',
    done: 'Your brand is published.',
    action: { label: 'Edit Brand', to: '/admin/settings', search: { section: 'brand' } },
  },
  mail: {
    title: 'Mail server',
    open: 'Customers receive no receipts, login alerts or password resets until this works.',
    done: 'Emails are sent.',
  },
  payments: {
    title: 'Payment handles',
    open: 'Your Cash App and Venmo names, as customers see them at checkout.',
    done: 'Customers see where to pay.',
    action: { label: 'Add Handles', to: '/admin/settings', search: { section: 'payments' } },
  },
  panel: {
    title: 'Panel',
    open: 'Connect your IPTV panel to create lines automatically, or save manual provisioning.',
    done: 'Provisioning is set.',
    action: { label: 'Connect Panel', to: '/admin/settings', search: { section: 'provisioning' } },
  },
  second_step: {
    title: 'Second step at login',
    open: 'Protects your account even if its password leaks.',
    done: 'Your account is protected.',
    action: { label: 'Turn On', to: '/security' },
  },
}
