// biome-ignore-all lint/performance/noBarrelFile: one chunk for the larger sections, because every lazy import costs bytes in the first script of all pages

export { AppsSetting } from './apps-setting.tsx'
export { ChatSetting } from './chat-setting.tsx'
export { MailServerPanel } from './mail-server/mail-server-panel.tsx'
export { MailServerSetup } from './mail-server/mail-server-setup.tsx'
export { MailboxPanel } from './mailbox/mailbox-panel.tsx'
export { PaymentDeskSetting } from './payments/payment-desk-setting.tsx'
export { PaymentsSetting } from './payments-setting.tsx'
export { ProcessorsPanel } from './processors/processors-panel.tsx'
export { ProvisioningPanel } from './provisioning/provisioning-panel.tsx'
export { SocialsSetting } from './socials-setting.tsx'
