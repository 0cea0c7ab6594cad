// biome-ignore-all lint/performance/noBarrelFile: one chunk for these sections, because every lazy import costs bytes in the first script of all pages
export { MailServerPanel } from './mail-server/mail-server-panel.tsx'
export { MailServerSetup } from './mail-server/mail-server-setup.tsx'
export { MailboxPanel } from './mailbox/mailbox-panel.tsx'
export { PaymentDeskSetting } from './payments/payment-desk-setting.tsx'
export { ProcessorsPanel } from './processors/processors-panel.tsx'
export { ProvisioningPanel } from './provisioning-panel.tsx'
