import type { SetupStep } from '#features/desk/admin-overview-contract.ts'

interface StepText {
  title: string
  /** The approximate duration of the step, in minutes. */
  minutes: number
  /** Why the step matters; shown while it is open. */
  open: string
  done: string
  /** The link to the page where the step is done. */
  action: { label: string; to: string; search?: object }
}

export const setupTexts: Record<SetupStep, StepText> = {
  brand: {
    title: 'Brand',
    minutes: 3,
    open: 'The name, logo and color that customers see.',
    done: 'Your brand is published.',
    action: { label: 'Edit Brand', to: '/admin/settings', search: { section: 'brand' } },
  },
  mail: {
    title: 'Mail server',
    minutes: 2,
    open: 'Customers receive no receipts, login alerts or password resets until this works.',
    done: 'Emails are sent.',
    action: { label: 'Set Up Email', to: '/admin/settings', search: { section: 'mail-server' } },
  },
  payments: {
    title: 'Payment handles',
    minutes: 1,
    open: 'Your Cash App and Venmo names, as customers see them at checkout.',
    done: 'Customers see where to pay.',
    action: { label: 'Add Handles', to: '/admin/settings', search: { section: 'payments' } },
  },
  panel: {
    title: 'Panel',
    minutes: 3,
    open: 'Connect your IPTV panel to create lines automatically, or save manual provisioning.',
    done: 'Provisioning is set up.',
    action: { label: 'Connect Panel', to: '/admin/settings', search: { section: 'provisioning' } },
  },
  second_step: {
    title: 'Two-step verification',
    minutes: 2,
    open: 'Protects your account even if its password leaks.',
    done: 'Your account is protected.',
    action: { label: 'Turn On', to: '/security' },
  },
}
